import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply, idOf, type Mutant, mutantsOf } from './mutants.ts';
import { CONTRACTS, parse } from './syntax.ts';
import { Trial } from './trial.ts';
import { Workshop } from './workshop.ts';

/** How many mutants of a file are compiled together. */
const BATCH = 12;

/** What became of a mutant. */
export interface Finding {
  readonly mutant: Mutant;
  readonly kind: 'caught' | 'listed' | 'same-code' | 'survived' | 'does-not-compile';
  /** The test that caught it, or why it counts as equivalent. */
  readonly by?: string;
}

/** All the contracts' sources, by file. Interfaces hold no code. */
export function readSources(root: string): ReadonlyMap<string, Buffer> {
  const files = readdirSync(join(root, CONTRACTS), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol') && !file.startsWith('test/'))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, CONTRACTS, file))]));
}

/** Every mutant of these files, in their order. */
export function mutantsIn(
  root: string,
  sources: ReadonlyMap<string, Buffer>,
  files: readonly string[],
): readonly Mutant[] {
  return parse(root, new Map(files.map((file) => [file, sources.get(file)!]))).flatMap(mutantsOf);
}

interface Campaign {
  readonly root: string;
  readonly sources: ReadonlyMap<string, Buffer>;
  readonly mutants: readonly Mutant[];
  readonly equivalents: ReadonlyMap<string, string>;
  /** How many workshops at a time. */
  readonly workshops: number;
  /** Leaves out the slow suites and the long random lives: what they alone would catch counts as survived. */
  readonly glance?: boolean;
  /** Where the workshops stand and stay, so that the next campaign need not compile what did not change. */
  readonly folder?: string;
  /** Told of each finding as it is made. */
  readonly onFinding?: (finding: Finding, done: number) => void;
  /** Ends the campaign after the runs that are under way. */
  readonly signal?: AbortSignal;
}

/**
 * Tries every mutant against the contracts' tests. Findings come back in the mutants' order.
 * @throws Error when the tests fail on the contracts as they are: then nothing would be proved
 */
export async function campaign({
  root,
  sources,
  mutants,
  equivalents,
  workshops,
  glance = false,
  folder,
  onFinding,
  signal,
}: Campaign): Promise<readonly Finding[]> {
  const findings = new Map<Mutant, Finding>();
  const settle = (finding: Finding) => {
    findings.set(finding.mutant, finding);
    onFinding?.(finding, findings.size);
  };
  const isStopped = () => signal?.aborted === true;
  const queue: Mutant[] = [];
  for (const mutant of mutants) {
    const reason = equivalents.get(idOf(mutant));
    if (reason === undefined) queue.push(mutant);
    else settle({ mutant, kind: 'listed', by: reason });
  }

  const catchers = new Map<string, Map<string, number>>();
  const place = folder ?? mkdtempSync(join(tmpdir(), 'handshake-mutants-'));
  const work = async (name: string): Promise<void> => {
    const workshop = new Workshop(join(place, name));
    try {
      await workshop.open(root);
      const trial = await Trial.begin({ workshop, sources, catchers, glance });
      while (queue.length > 0 && !isStopped()) {
        const { file } = queue[0]!;
        const others = queue.findIndex((mutant) => mutant.file !== file);
        const batch = queue.splice(0, Math.min(others === -1 ? BATCH : others, BATCH));
        const verdicts = trial.of(
          file,
          batch.map((mutant) => apply(sources.get(file)!, mutant)),
        );
        for await (const verdict of verdicts) {
          settle({ mutant: batch.shift()!, ...verdict });
          if (isStopped()) break;
        }
      }
    } finally {
      await workshop.close();
    }
  };
  try {
    const all = await Promise.allSettled(
      Array.from({ length: Math.min(workshops, queue.length) }, (_, i) => work(`${i}`)),
    );
    for (const one of all) if (one.status === 'rejected') throw one.reason;
  } finally {
    if (folder === undefined) rmSync(place, { recursive: true, force: true });
  }
  return mutants.flatMap((mutant) => findings.get(mutant) ?? []);
}

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply, idOf, type Mutant, mutantsOf } from './mutants.ts';
import { isSameCode } from './same-code.ts';
import { CONTRACTS, parse } from './syntax.ts';
import { Workshop } from './workshop.ts';

/** The first run compiles everything, on a machine that may be busy. */
const FIRST_LIMIT_MS = 600_000;
/** A fault that loops is caught by the clock: at the earliest after this, and after many times a sound run. */
const SHORTEST_LIMIT_MS = 60_000;
const SOUND_RUNS = 10;

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
  onFinding,
  signal,
}: Campaign): Promise<readonly Finding[]> {
  const findings = new Map<Mutant, Finding>();
  const settle = (finding: Finding) => {
    findings.set(finding.mutant, finding);
    onFinding?.(finding, findings.size);
  };
  const queue: Mutant[] = [];
  for (const mutant of mutants) {
    const reason = equivalents.get(idOf(mutant));
    if (reason === undefined) queue.push(mutant);
    else settle({ mutant, kind: 'listed', by: reason });
  }

  const folder = mkdtempSync(join(tmpdir(), 'handshake-mutants-'));
  const work = async (name: string): Promise<void> => {
    const workshop = new Workshop(join(folder, name));
    try {
      await workshop.open(root);
      const began = performance.now();
      const sound = await workshop.run(FIRST_LIMIT_MS);
      const limitMs = Math.max(SHORTEST_LIMIT_MS, SOUND_RUNS * (performance.now() - began));
      if (sound.kind !== 'passed') throw new Error(`without any fault: ${JSON.stringify(sound)}`);
      for (let next = queue.shift(); next !== undefined && signal?.aborted !== true; next = queue.shift()) {
        settle(await tryOne(workshop, sources, next, limitMs));
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
    rmSync(folder, { recursive: true, force: true });
  }
  return mutants.flatMap((mutant) => findings.get(mutant) ?? []);
}

async function tryOne(
  workshop: Workshop,
  sources: ReadonlyMap<string, Buffer>,
  mutant: Mutant,
  limitMs: number,
): Promise<Finding> {
  const original = sources.get(mutant.file)!;
  const mutated = apply(original, mutant);
  workshop.write(mutant.file, mutated);
  try {
    const outcome = await workshop.run(limitMs);
    if (outcome.kind === 'failed') return { mutant, kind: 'caught', by: outcome.by };
    if (outcome.kind === 'does-not-compile') return { mutant, kind: 'does-not-compile' };
    const same = await isSameCode(workshop, sources, mutant.file, mutated);
    return { mutant, kind: same ? 'same-code' : 'survived' };
  } finally {
    workshop.write(mutant.file, original);
  }
}

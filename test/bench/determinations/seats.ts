import { readFileSync } from 'node:fs';
import { judge } from '../../../agents/determinations/panel/judge.ts';
import { panelFor } from '../../../agents/determinations/panel/panel.ts';
import type {
  Depth,
  DeterminationEvidence,
  RecordEvidence,
} from '../../../agents/determinations/panel/types.ts';
import type { WalletCommon } from '../../../agents/determinations/wallet/wallet-evidence.ts';
import { atDepth } from '../../../agents/evaluation/read-evidence.ts';
import type { BenchRow } from '../row.ts';

const FOLDER = new URL('../../fixtures/evidence/', import.meta.url);
/** Readings of real chains, and whether the wallet is honest. */
const CASES = [
  ['wallet-1-plain-2-of-2', true],
  ['wallet-1-delegated-to-listed', false],
  ['wallet-1-proxy-to-listed', false],
] as const;
const CLIENTS = ['viem', 'ethers'] as const;
const SEATS = panelFor('superconsensus').seats.map((s) => s.seat);

/** One evidence with a fault, and what the panel should have said. */
export interface Planted {
  readonly fault: string;
  /** A fault of one source, or of something that several seats share. */
  readonly shared: boolean;
  readonly honest: boolean;
  readonly evidence: DeterminationEvidence;
}

function kept(name: string): DeterminationEvidence {
  const text = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
  const [found] = (JSON.parse(text) as { evidence: RecordEvidence }).evidence.determinations;
  return { ...atDepth(found!, 'superconsensus'), adversary: 3 };
}

/** The evidence with another reading by some clients; null where they read nothing. */
function reading(
  evidence: DeterminationEvidence,
  clients: readonly string[],
  make: (facts: unknown) => unknown,
): DeterminationEvidence {
  const seats = evidence.seats.map((s) => {
    if (s.facts === null || !clients.some((c) => s.seat.endsWith(`/${c}`))) return s;
    const facts = make(s.facts);
    return { ...s, facts, fault: facts === null ? 'it was not read' : s.fault };
  });
  return { ...evidence, seats };
}

/** The paths of all numbers, texts and truths in a reading. */
function leaves(value: unknown, path: readonly string[] = []): string[][] {
  if (value === null) return [];
  if (typeof value !== 'object') return [[...path]];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]));
}

/** What a reader may leave out of a chain's reading. */
const OMITTED = ['nonce', 'balance', 'code', 'code.implementation'].map((field) => [
  'chains',
  '0',
  ...field.split('.'),
]);

function changed(value: unknown, [key, ...rest]: readonly string[], to: (was: unknown) => unknown): unknown {
  if (key === undefined) return to(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = changed(copy[key], rest, to);
  return copy;
}

function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value}1` : value;
}

/**
 * Every fault of one source, and faults that sources share: a reading of before the wallet did anything (stale), of
 * another wallet (swapped), nothing at all (missing), each value missing or another one (lying); a list that leaves the
 * address out, and the same false reading by both.
 */
export function plantedFaults(): Planted[] {
  const plain = kept('wallet-1-plain-2-of-2');
  const listed = kept('wallet-1-proxy-to-listed');
  const factsOf = (of: DeterminationEvidence) => of.seats.find((s) => s.facts !== null)!.facts;
  return CASES.flatMap(([name, honest]) => {
    const evidence = kept(name);
    const stale = (facts: unknown) => {
      const [chain] = (factsOf(plain) as { chains: Record<string, unknown>[] }).chains;
      return { ...(facts as object), chains: [{ ...chain, nonce: 0, balance: '0' }] };
    };
    const swapped = () => factsOf(honest ? listed : plain);
    const whole = [
      ['stale', stale],
      ['swapped', swapped],
      ['missing', () => null],
    ] as const;
    const single = CLIENTS.flatMap((client) => [
      ...whole.map(([fault, make]) => ({
        fault: `${client}: ${fault}`,
        is: reading(evidence, [client], make),
      })),
      ...leaves(factsOf(evidence)).map((path) => ({
        fault: `${client}: ${path.join('.')} is another`,
        is: reading(evidence, [client], (facts) => changed(facts, path, another)),
      })),
      ...OMITTED.map((path) => ({
        fault: `${client}: ${path.join('.')} is missing`,
        is: reading(evidence, [client], (facts) => changed(facts, path, () => null)),
      })),
    ]);
    const common = evidence.common as WalletCommon;
    const silent = { ...common, knownScam: { ...common.knownScam, hits: [] } };
    const joint = [
      ...whole.map(([fault, make]) => {
        const is = reading(evidence, CLIENTS, make);
        // Whom nobody reads nobody looks up.
        return { fault: `both: ${fault}`, is: fault === 'missing' ? is : { ...is, common: silent } };
      }),
      { fault: 'a list leaves somebody out', is: { ...evidence, common: silent } },
    ];
    const planted = (shared: boolean) => (f: { fault: string; is: DeterminationEvidence }) => ({
      ...{ fault: `${name}: ${f.fault}`, shared, honest, evidence: f.is },
    });
    return [...single.map(planted(false)), ...joint.map(planted(true))];
  });
}

/** Which seats are in error: CLEAN of who is not honest, or anything but CLEAN of who is. In the order of the panel. */
function errorsIn({ honest, evidence }: Planted): boolean[] {
  return judge(evidence).panel.votes.map(({ vote }) => (vote === 'CLEAN') !== honest);
}

/** The phi coefficient of two yes-or-no variables (Pearson's); null where one of them never varies. */
export function phi(a: readonly boolean[], b: readonly boolean[]): number | null {
  const n = a.length;
  const [p, q] = [a.filter(Boolean).length / n, b.filter(Boolean).length / n];
  const both = a.filter((x, i) => x && b[i]).length / n;
  const spread = Math.sqrt(p * (1 - p) * q * (1 - q));
  return spread === 0 ? null : (both - p * q) / spread;
}

/**
 * `npm run bench seats`: plants faults in evidence and tells in how far the seats of `superconsensus` err together, and
 * which of the faults make a panel say CLEAN of a wallet that is not.
 */
export async function benchSeats(): Promise<BenchRow[]> {
  const all = plantedFaults();
  const [single, shared] = [all.filter((f) => !f.shared), all.filter((f) => f.shared)];
  const columns = (of: readonly Planted[]): boolean[][] => {
    const errors = of.map(errorsIn);
    return SEATS.map((_, i) => errors.map((row) => row[i]!));
  };
  const [own, together] = [columns(single), columns(shared)];
  const figure = (a: readonly boolean[], b: readonly boolean[]): string => phi(a, b)?.toFixed(2) ?? '–';
  const pairs = SEATS.flatMap((one, i) =>
    SEATS.slice(i + 1).map((other, k) => {
      const j = i + 1 + k;
      const both = own[i]!.filter((wrong, n) => wrong && own[j]![n]).length;
      return {
        name: `${one} and ${other}`,
        measured: `one source's faults ${figure(own[i]!, own[j]!)} (${both} of ${single.length} in both), shared ones ${figure(together[i]!, together[j]!)}`,
      };
    }),
  );
  const depths = (['1-of-1', '2-of-2', 'superconsensus'] as const).map((depth) =>
    believed(depth, single, shared),
  );
  return [...pairs, ...depths];
}

function believed(depth: Depth, single: readonly Planted[], shared: readonly Planted[]): BenchRow {
  const wrong = (of: readonly Planted[]) => {
    const bad = of.filter((f) => !f.honest);
    return [
      bad.filter((f) => judge(atDepth(f.evidence, depth)).verdict === 'CLEAN').length,
      bad.length,
    ] as const;
  };
  const [[alone, of], [joint, ofShared]] = [wrong(single), wrong(shared)];
  return {
    name: `wrongly CLEAN at ${depth}`,
    measured: `by one source ${alone} of ${of}, by what is shared ${joint} of ${ofShared}`,
    ...(depth === '1-of-1' ? {} : { goal: 'by one source 0', ok: alone === 0 }),
  };
}

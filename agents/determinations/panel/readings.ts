import { solanaDifferences } from '../wallet/solana/solana-agreement.ts';
import type { SolanaReading } from '../wallet/solana/wallet-solana-facts.ts';
import type { WalletFacts } from '../wallet/wallet-evidence.ts';
import { check } from './judging.ts';
import type { Check, DeterminationEvidence, SeatReading, Source } from './types.ts';

export interface Contradiction {
  readonly one: string;
  readonly other: string;
  readonly where: readonly string[];
}

/**
 * Checks that two clients that read the same block saw the same state. Nobody here can tell which of them is wrong. Of a
 * chain that one of them did not read, nothing was compared.
 */
export function agreement(
  seats: readonly SeatReading[],
  disputes: readonly Contradiction[],
  { blocks, at, agreement: version }: DeterminationEvidence,
): Check[] {
  const told = seats.filter((s) => s.facts !== null);
  const asked = version === 2 ? seats.filter((s) => s.method !== 'adversarial') : told;
  const onSolana = told.some((s) => solanaOf(s) !== undefined);
  const chains = onSolana ? ['solana'] : Object.keys(blocks).sort();
  if (sourcesOf(asked).size < 2 || chains.length === 0) return [];
  const readersOf = (chain: string) => told.filter((s) => version !== 2 || hasRead(s, chain));
  const alone = chains.filter((chain) => sourcesOf(readersOf(chain)).size < 2);
  const open = [
    ...disputes.map(disputeSentence),
    ...(alone.length === 0
      ? []
      : [`no two readers have read ${alone.join(', ')}, so nothing is compared there`]),
  ];
  const where = onSolana
    ? 'but amounts that move from slot to slot'
    : `at the pinned blocks of ${chains.join(', ')}`;
  const named = new Map(
    chains
      .flatMap(readersOf)
      .map((s): [string, Source] => [`${s.source}|${s.limit}`, { name: s.source, asOf: at, limit: s.limit }]),
  );
  const detail = open.length === 0 ? `the readers agree on every fact ${where}` : open.join('; ');
  return [check('readings-agree', open.length === 0 ? 'PASS' : 'INCONCLUSIVE', detail, [...named.values()])];
}

function sourcesOf(seats: readonly SeatReading[]): ReadonlySet<string> {
  return new Set(seats.map((s) => s.source));
}

/** Whether a seat could read what it was asked about a chain. */
function hasRead({ facts }: SeatReading, chain: string): boolean {
  const { chains, solana } = facts as Partial<WalletFacts>;
  const reading = solana ?? (chains === undefined ? facts : chains.find((c) => c.chain === chain));
  return reading !== undefined && (reading as { readonly fault?: string | null }).fault == null;
}

export function disputeSentence(d: Contradiction): string {
  return `${d.one} and ${d.other} read different facts${d.where.every((w) => w.startsWith('solana.')) ? '' : ' at the same block'}: ${d.where.join(', ')}`;
}

/**
 * The places where two seats read the same block of the same chain and saw different things. A value that one of them
 * could not read (null) contradicts nothing: that seat's own vote already accounts for it.
 */
export function contradictions(seats: readonly SeatReading[]): Contradiction[] {
  const read = seats.filter((s) => s.facts !== null);
  const found: Contradiction[] = [];
  for (let i = 0; i < read.length; i++) {
    for (const other of read.slice(i + 1)) {
      const one = read[i]!;
      if (one.source === other.source) continue;
      const where = [
        ...solanaDifferences(solanaOf(one), solanaOf(other)),
        ...differences(one.facts, other.facts, ''),
      ];
      if (where.length > 0) found.push({ one: one.seat, other: other.seat, where });
    }
  }
  return found;
}

/** Solana has no reading at a chosen block: it is compared by rules of its own. */
function solanaOf({ facts }: SeatReading): SolanaReading | undefined {
  return (facts as { readonly solana?: SolanaReading } | null)?.solana;
}

function differences(a: unknown, b: unknown, path: string): string[] {
  if (a === null || b === null || a === undefined || b === undefined || Object.is(a, b)) return [];
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return [path];
    return a.flatMap((item, i) => differences(item, b[i], `${path}[${label(item, i)}]`));
  }
  if (typeof a === 'object' && typeof b === 'object') {
    const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
    return Object.keys(left)
      .filter((key) => key !== 'fault' && !(path === '' && key === 'solana'))
      .sort()
      .flatMap((key) => differences(left[key], right[key], path === '' ? key : `${path}.${key}`));
  }
  return [path];
}

function label(item: unknown, index: number): string {
  const chain = (item as { chain?: unknown } | null)?.chain;
  return typeof chain === 'string' ? chain : String(index);
}

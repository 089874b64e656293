import { solanaDifferences } from '../wallet/solana-agreement.ts';
import type { SolanaReading } from '../wallet/wallet-solana-facts.ts';
import type { SeatReading } from './types.ts';

export interface Contradiction {
  readonly one: string;
  readonly other: string;
  readonly where: readonly string[];
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

import type { SolanaReading } from './wallet-solana-facts.ts';

/** What moves from slot to slot while a wallet is in use. Two nodes rarely answer from the same slot. */
const MOVES_WITH_SLOTS: ReadonlySet<string> = new Set(['lamports', 'amount', 'delegatedAmount']);

/**
 * The places where two readings of one Solana address differ. Of the same slot they must tell the same; of different
 * slots amounts may differ, and nothing else. A reading with a fault contradicts nothing.
 * @returns paths, `solana.account.owner`; empty when they agree
 */
export function solanaDifferences(
  one: SolanaReading | undefined,
  other: SolanaReading | undefined,
): readonly string[] {
  if (one === undefined || other === undefined || one.fault !== null || other.fault !== null) return [];
  const sameSlot = one.slot === other.slot;
  return ['cluster', 'onCurve', 'account', 'holdings', ...(sameSlot ? ['at'] : [])].flatMap((field) =>
    differences(one[field as 'account'], other[field as 'account'], `solana.${field}`, sameSlot),
  );
}

function differences(a: unknown, b: unknown, path: string, sameSlot: boolean): string[] {
  if (Object.is(a, b)) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [path];
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return keys
    .filter((key) => sameSlot || !MOVES_WITH_SLOTS.has(key))
    .flatMap((key) => differences(left[key], right[key], `${path}.${key}`, sameSlot));
}

import type { Category } from '../../../categories.ts';
import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';

/** A limit on some goods: it allows them, and they must be all that the mandate allows. */
export function onlyFor(list: readonly Category[], words: string): Fact[] {
  return [
    { fact: 'goods', deny: false, list, side: null, only: false },
    { fact: 'holds-for', goods: list, words },
  ];
}

/**
 * True when the limit ends here. A limit that goes on to name goods, a chain, a party or a condition applies to those
 * only, and must not be widened.
 */
export function fits(c: Cursor): boolean {
  if (
    ['CATEGORY', 'CHAIN', 'PARTY', 'COND', 'WITHOUT', 'ABOVE', 'UNDER', 'MODIFIER', 'HEDGE'].includes(
      c.peek()?.kind ?? '',
    )
  )
    return false;
  return !(
    c.sees('PREP') &&
    ['CATEGORY', 'CHAIN', 'PARTY', 'MODIFIER', 'PARTYWORD', 'ANY', 'GEN', 'ART'].includes(
      c.peek(1)?.kind ?? '',
    ) &&
    !c.sees('UNIT', [], 2)
  );
}

const COUNTS = ['two', 'three', 'four', 'five'];

/** "And these two alone": false where not as many are named. */
export function asMany(words: string, named: number): boolean {
  const said = COUNTS.findIndex((word) => words.toLowerCase().split(' ').includes(word));
  return said === -1 || said + 2 === named;
}

/** "Within 10% of market" is said of both sides of it, where "within 90%" is a share. */
export function around(limit: string, percent: bigint): boolean {
  return /\bwithin\b/i.test(limit) && percent < 50_000_000n;
}

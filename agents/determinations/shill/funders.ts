import { type Micro, maxMicro, minMicro } from '../../money.ts';

/**
 * Who paid less of all that came to a side, in percent, is no funder of it: anybody may send a dollar to two strangers,
 * and somebody else a dollar before. Nor is who paid less of what the side holds: most of it may be older than these
 * blocks. What it holds is looked at, and not the price, for a seller needs no money; and whoever can keep several times
 * as much there from elsewhere needs no funder.
 */
export const FUNDERS_SHARE = 25n;

/** A transfer of the settlement token. Lower case. */
interface Moved {
  readonly from: string;
  readonly to: string;
  readonly amount: Micro;
}

/** Each side's account, owners and session key, lower case. */
export interface Sides {
  readonly buyer: readonly string[];
  readonly seller: readonly string[];
}

/** Those who each paid at least `FUNDERS_SHARE` of what came to a side from others, and of what it holds, and how much of it. */
export function funders(
  incoming: readonly Moved[],
  side: readonly string[],
  held: bigint,
): ReadonlyMap<string, number> {
  const paid = new Map<string, bigint>();
  for (const { from, to, amount } of incoming)
    if (side.includes(to) && !side.includes(from)) paid.set(from, (paid.get(from) ?? 0n) + amount);
  const came = [...paid.values()].reduce((sum, amount) => sum + amount, 0n);
  const all = held > came ? held : came;
  return new Map(
    [...paid]
      .filter(([, amount]) => amount * 100n >= all * FUNDERS_SHARE)
      .map(([from, amount]) => [from, Number((amount * 100n) / all)]),
  );
}

/**
 * How much of what the seller's side paid the buyer's had gone the other way before. Of deals between them the largest
 * price until then counts alone: two who give back the price of each have only seemed to trade.
 * @param incoming in the order of the chain
 */
export function givenBack<T extends Moved>(
  incoming: readonly T[],
  sides: Sides,
  isPrice: (transfer: T) => boolean,
): bigint {
  let [lent, price, back] = [0n, 0n, 0n];
  for (const transfer of incoming) {
    const { from, to, amount } = transfer;
    if (sides.buyer.includes(from) && sides.seller.includes(to) && !sides.seller.includes(from)) {
      const counted = isPrice(transfer) ? price : 0n;
      if (amount > counted) lent += amount - counted;
      if (isPrice(transfer)) price = maxMicro(price, amount);
    } else if (sides.seller.includes(from) && sides.buyer.includes(to) && !sides.buyer.includes(from)) {
      if (isPrice(transfer)) continue;
      const given = minMicro(lent, amount);
      lent -= given;
      back += given;
    }
  }
  return back;
}

import { type Kind, type Question, TRAIL_HOPS, type Walk, walksOf } from './payers.ts';

/**
 * Where the money of one bidder came from, outside of trade, as shares of all of it in twentieths. Nobody's address is
 * kept, and no amount: who bids is private, and the chain is not.
 */
export interface BidderMoney {
  readonly bidder: string;
  /** Came from the seller's side, also through others. */
  readonly fromSeller: number;
  /** Came from somebody who pays few others, and from whom much of the seller's own money came. */
  readonly shared: number;
  /** The share of the seller's own money that came from this bidder's. */
  readonly toSeller: number;
  /** Bidders with the same mark have most of their money from the same one who pays few others; null for the rest. */
  readonly group: string | null;
  /** On how many of the seller's lots, of any category, it bid; absent where the history tells. */
  readonly lots?: number;
  /** Nothing is known to have come to it, so that all shares are of nothing. */
  readonly unseen?: true;
}

/** The money of all bidders of one seller. */
export interface MoneyTrails {
  /** Over how many transfers money was followed back. */
  readonly hops: number;
  readonly bidders: readonly BidderMoney[];
  /** Why the transfers could not be read, or not all of them; null when they were. */
  readonly fault: string | null;
  /** The block from which on transfers are kept; absent where none is older. */
  readonly from?: string;
}

/** A common payer counts when at least this share of the seller's own money is from it: a gift cannot frame a seller. */
const SELLERS_SHARE = 0.25;
const MOSTLY = 0.5;

/** From this share on money whose way is not known leaves open whose it is. */
const MUCH_UNSEEN = 0.2;
const NAMED = 3;
const NO_ONE: ReadonlySet<string> = new Set();
/** So many bidders on one purse are a finding. */
export const LEAST_MEMBERS = 3;

/**
 * Follows the money of each bidder back, in proportion to its value (Möser, Böhme, Breuker, "Towards Risk Scoring of
 * Bitcoin Transactions", 2014): to the seller's side, to payers whom both have, to the public, or to nowhere known.
 */
export function moneyTrails(question: Question, walkOf = walksOf(question)): BidderMoney[] {
  const { seller, bidders } = question;
  const sellers = new Set(seller.addresses);
  const sellersOwn = ancestors(walkOf(seller));
  const common = new Set([...sellersOwn].filter(([, share]) => share >= SELLERS_SHARE).map(([a]) => a));
  const traced = bidders.map((side) => {
    const walk = walkOf(side);
    return {
      ...sharesOf(walk, { sellers, common }),
      toSeller: rounded(side.addresses.reduce((sum, address) => sum + (sellersOwn.get(address) ?? 0), 0)),
      name: side.name,
      from: mostlyFrom(walk, ['private']).findLast((payer) => !sellers.has(payer)) ?? null,
      ...(walk.payersOf(side.addresses).length === 0 ? { unseen: true as const } : {}),
    };
  });
  const groups = marks(traced.map(({ from }) => from));
  return traced.map(({ name, from, ...shares }) => ({
    bidder: name,
    ...shares,
    group: from === null ? null : (groups.get(from) ?? null),
  }));
}

/** Why it is open whose the money of some sides is, by their names; null where it is not. */
export function openMoney(question: Question, walkOf = walksOf(question)): string | null {
  const open = halfSeen(question, walkOf);
  if (open.length === 0) return null;
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
  return `it is open whose the money of ${open.slice(0, NAMED).join(', ')}${more} is: more was paid on the way to them than was looked at, or one who may have customers paid several of them`;
}

/**
 * Of these sides, whose money came too much by way of addresses to whom more was paid than was looked at, or of somebody
 * who may have customers, or not, and paid the seller too, or so many bidders that it may be a purse.
 */
export function halfSeen(question: Question, walkOf = walksOf(question)): string[] {
  const { seller, bidders, cut = NO_ONE, attached, purses = true } = question;
  const own = walkOf(seller);
  const paidBoth = bidders.filter((side) => isOpenBetween(own, walkOf(side)));
  const mayBeOne = purses ? bidders.filter(({ name }) => attached === null || attached.has(name)) : [];
  const members = counted(mayBeOne.flatMap((side) => mostlyFrom(walkOf(side), ['private', 'open'])));
  const mayBeMembers = mayBeOne.filter((side) =>
    mostlyFrom(walkOf(side), ['open']).some((payer) => members.get(payer)! >= LEAST_MEMBERS),
  );
  const open = new Set([...(paidBoth.length > 0 ? [seller] : []), ...paidBoth, ...mayBeMembers]);
  return [seller, ...bidders]
    .filter((side) => open.has(side) || isHalfSeen(walkOf(side), cut))
    .map(({ name }) => name);
}

/** Whether much of the money of both came by way of somebody who may have customers, or not. */
export function isOpenBetween(one: Walk, other: Walk): boolean {
  return [...one.met()].some(
    ([payer, share]) =>
      Math.min(share, other.met().get(payer) ?? 0) >= MUCH_UNSEEN &&
      (one.kindOf(payer) === 'open' || other.kindOf(payer) === 'open'),
  );
}

/** Whether much of a side's money came by way of some to whom more was paid than was looked at. */
export function isHalfSeen(walk: Walk, cut: ReadonlySet<string> = NO_ONE): boolean {
  return unseenOf(walk, cut) >= MUCH_UNSEEN;
}

/** A mark for each of these that has most of its money from the same one as another. Whoever may have customers counts here. */
export function pursesOf(walks: readonly Walk[]): (string | null)[] {
  const marked = (kinds: readonly Kind[]): (string | null)[] => {
    const from = walks.map((walk) => mostlyFrom(walk, kinds).at(-1) ?? null);
    const members = counted(from);
    return from.map((payer) => (payer !== null && members.get(payer)! > 1 ? `purse of ${payer}` : null));
  };
  const maybe = marked(['private', 'open']);
  return marked(['private']).map((sure, i) => sure ?? maybe[i]!);
}

function sharesOf(
  walk: Walk,
  { sellers, common }: { readonly sellers: ReadonlySet<string>; readonly common: ReadonlySet<string> },
): Omit<BidderMoney, 'bidder' | 'group' | 'toSeller'> {
  const found = { fromSeller: 0, shared: 0 };
  const follow = (of: readonly string[], weight: number, hops: number, seen: ReadonlySet<string>): void => {
    for (const [payer, share] of walk.payersOf(of)) {
      const part = weight * share;
      const kind = walk.kindOf(payer);
      if (sellers.has(payer)) found.fromSeller += part;
      else if (kind === 'public') continue;
      else if (kind === 'private' && common.has(payer)) found.shared += part;
      else if (hops < TRAIL_HOPS && !seen.has(payer))
        follow([payer], part, hops + 1, new Set([...seen, payer]));
    }
  };
  follow(walk.addresses, 1, 1, new Set(walk.addresses));
  return { fromSeller: rounded(found.fromSeller), shared: rounded(found.shared) };
}

/** Everybody without customers through whom the money of a side came, with the share that did. */
function ancestors(walk: Walk): Map<string, number> {
  return new Map([...walk.met()].filter(([payer]) => walk.kindOf(payer) === 'private'));
}

/** The share of what came to a side that came by way of some to whom more was paid than was looked at. */
function unseenOf(walk: Walk, cut: ReadonlySet<string>): number {
  const follow = (of: readonly string[], weight: number, hops: number, seen: ReadonlySet<string>): number => {
    if (hops === TRAIL_HOPS) return 0;
    if (of.some((address) => cut.has(address))) return weight;
    return walk
      .payersOf(of)
      .filter(([payer]) => !seen.has(payer) && walk.kindOf(payer) !== 'public')
      .map(([payer, share]) => follow([payer], weight * share, hops + 1, new Set([...seen, payer])))
      .reduce((sum, part) => sum + part, 0);
  };
  return cut.size === 0 ? 0 : follow(walk.addresses, 1, 0, new Set(walk.addresses));
}

/** The payers of these kinds by way of whom most of a side's money came, the farthest last. */
function mostlyFrom(walk: Walk, kinds: readonly Kind[]): string[] {
  const most = [...walk.met()].filter(
    ([payer, share]) => share >= MOSTLY && kinds.includes(walk.kindOf(payer)),
  );
  return most.map(([payer]) => payer);
}

function rounded(share: number): number {
  return Math.round(Math.min(1, share) * 20) / 20;
}

/** A mark for each payer whom several have. */
function marks(from: readonly (string | null)[]): ReadonlyMap<string, string> {
  const several = [...counted(from)].filter(([, n]) => n > 1).map(([payer]) => payer);
  return new Map(several.map((payer, i) => [payer, `group-${i + 1}`]));
}

/** How often each stands there. */
function counted(from: readonly (string | null)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const payer of from) if (payer !== null) counts.set(payer, (counts.get(payer) ?? 0) + 1);
  return counts;
}

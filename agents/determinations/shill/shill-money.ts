import { check } from '../panel/judging.ts';
import type { Feature, Ground } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import { type BidHistory, lotsByBidder } from './bid-history.ts';
import { type BidderMoney, LEAST_MEMBERS, type MoneyTrails } from './money-trails.ts';
import type { LotBook } from './shill-evidence.ts';

/** A bidder with so much of its money from the seller's side, or from where the seller's own is from, is its own. */
const OWN = 0.5;
/** Somebody with so much of it may be a friend. */
const PARTLY = 0.2;
/** The name of the buyer in a deal's evidence. */
const BUYER = 'buyer';
/** One lot that a friend bids on is no habit. */
const LOTS = 2;
/** So many bidders with one purse, who bid here and hardly anywhere else, and win as little as members of a ring. */
const ONE_PAYER = { members: LEAST_MEMBERS, attached: 0.5, wins: 0.2 } as const;

interface MoneyFindings {
  readonly affiliated: readonly BidderMoney[];
  /** They bid on enough lots between them for it to be a habit. */
  readonly often: boolean;
  readonly partly: readonly BidderMoney[];
  readonly purses: readonly (readonly string[])[];
}

type Bids = Pick<BidHistory, 'lots' | 'lotsOf'>;
type Bidding = Pick<LotBook, 'money'> & { readonly history: Bids };

/** What the money of a seller's bidders tells. */
function moneyFindings(history: Bids, money: MoneyTrails): MoneyFindings {
  const own = lotsByBidder(history.lots);
  const lotsHere = (bidder: string): number => own.get(bidder)?.size ?? 0;
  const tied = ({ fromSeller, shared, toSeller }: BidderMoney): number =>
    Math.max(fromSeller + shared, toSeller);
  const anywhere = (b: BidderMoney): number => b.lots ?? lotsHere(b.bidder);
  const bidding = money.bidders.filter((b) => anywhere(b) > 0);
  const affiliated = bidding.filter((b) => tied(b) >= OWN);
  return {
    affiliated,
    often: affiliated.some(isBuyer) || affiliated.reduce((sum, b) => sum + anywhere(b), 0) >= LOTS,
    partly: bidding.filter((b) => tied(b) >= PARTLY && tied(b) < OWN),
    purses: pursesOf(history, bidding, lotsHere),
  };
}

/** A deal's buyer with the seller's money deals with itself: once is enough. */
function isBuyer({ bidder }: BidderMoney): boolean {
  return bidder === BUYER;
}

function pursesOf(
  { lots, lotsOf }: Bids,
  bidding: readonly BidderMoney[],
  lotsHere: (bidder: string) => number,
): string[][] {
  const groups = new Map<string, string[]>();
  for (const { bidder, group } of bidding)
    if (
      group !== null &&
      lotsHere(bidder) > 0 &&
      lotsHere(bidder) >= ONE_PAYER.attached * (lotsOf[bidder] ?? 0)
    )
      groups.set(group, [...(groups.get(group) ?? []), bidder]);
  return [...groups.values()].filter((members) => {
    const bid = members.reduce((sum, member) => sum + lotsHere(member), 0);
    return members.length >= ONE_PAYER.members && hardlyWin(lots, members, bid);
  });
}

/** @param bid on how many lots they bid between them */
function hardlyWin(lots: BidHistory['lots'], bidders: readonly string[], bid: number): boolean {
  const won = lots.filter(({ winner }) => winner !== null && bidders.includes(winner)).length;
  return won <= ONE_PAYER.wins * bid;
}

/**
 * Nobody's money is tied to the seller's, and all of it could be followed, from the first transfer on. Of those who come
 * back and hardly win it was seen: no transfers are no proof.
 */
export function isUntied(book: LotBook): boolean {
  const { money, history } = book;
  if (money == null || money.fault !== null || money.from !== undefined) return false;
  const { affiliated, partly, purses } = moneyFindings(history, money);
  const own = lotsByBidder(history.lots);
  const isLosing = ({ bidder }: BidderMoney): boolean => {
    const lots = own.get(bidder)?.size ?? 0;
    return lots >= LOTS && hardlyWin(history.lots, [bidder], lots);
  };
  const isOpen = money.bidders.some((b) => b.unseen === true && isLosing(b));
  return affiliated.length + partly.length + purses.length === 0 && !isOpen;
}

export function moneyCheck(book: Bidding, at: string): Check[] {
  const { money, history } = book;
  if (money === undefined) return [];
  const id = 'bidders-money';
  const since = money?.from === undefined ? '' : ` from block ${money.from} on`;
  const sources: Source[] = [
    {
      name: "this service's index of transfers",
      asOf: at,
      limit: `dollars outside of deals${since}, followed back over ${money?.hops ?? 0} transfers in proportion to their value; not gas money, other chains, or what happens inside an exchange`,
    },
  ];
  if (money === null) return [check(id, 'INCONCLUSIVE', 'the transfers could not be read', sources)];
  const { affiliated, often, partly, purses } = moneyFindings(history, money);
  const found = [
    ...affiliated.map(tieText),
    ...purses.map(
      (members) => `${members.join(', ')} have their money from one purse, bid here, and win next to nothing`,
    ),
  ];
  if (purses.length > 0 || often) return [check(id, 'FLAG', found.join('; '), sources)];
  const doubts = [...affiliated, ...partly].map((b) => `${tieText(b)}: it may be a friend`);
  if (doubts.length > 0) return [check(id, 'INCONCLUSIVE', doubts.join('; '), sources)];
  if (money.fault !== null) return [check(id, 'INCONCLUSIVE', money.fault, sources)];
  const told = `no money joins the seller and those ${money.bidders.length} who bid here`;
  return [check(id, 'PASS', told, sources)];
}

/** Points where a share of the money decides, one for each whole owner's worth of it. */
export function moneyFeatures({ money, history }: Bidding): Feature[] {
  if (money == null) return [];
  const { affiliated, often, purses } = moneyFindings(history, money);
  const counted = often ? affiliated : [];
  return [
    {
      name: 'affiliated-bidders',
      value: counted.length,
      weight: 60,
      meaning: `${counted.length} bidders have their money from the seller's side: ${counted.map(tieText).join('; ')}`,
    },
    {
      name: 'one-purse',
      value: purses.length,
      weight: 60,
      meaning: `${purses.length} groups of bidders live on one purse`,
    },
  ];
}

export function moneyDoubts({ money, history }: Bidding): string[] {
  if (money === undefined) return [];
  if (money === null) return ['the transfers could not be read'];
  const { affiliated, often, partly } = moneyFindings(history, money);
  return [
    ...[...(often ? [] : affiliated), ...partly].map(tieText),
    ...(money.fault === null ? [] : [money.fault]),
  ];
}

export function moneyGrounds({ money, history }: Bidding): Ground[] {
  if (money === undefined) return [];
  if (money === null)
    return [{ holds: true, unread: true, says: 'nobody looked at the money of the bidders' }];
  const { affiliated, often, partly, purses } = moneyFindings(history, money);
  return [
    {
      holds: often || purses.length > 0,
      says: "the seller's money, or one purse, stands behind those who bid",
    },
    {
      holds: partly.length > 0 || (affiliated.length > 0 && !often),
      unread: true,
      says: "some of the seller's money is with somebody who bids",
    },
    { holds: money.fault !== null, unread: true, says: 'not all of the money could be followed' },
  ];
}

/** The money of a deal, in the form in which a lot's judge takes it: of the bids on one listing. */
export function dealMoney(money: MoneyTrails | undefined): Bidding {
  return { history: { lots: [], lotsOf: {} }, ...(money === undefined ? {} : { money }) };
}

function tieText({ bidder, fromSeller, shared, toSeller }: BidderMoney): string {
  const percent = (share: number): string => `${Math.round(share * 100)} percent`;
  const back = toSeller > 0 ? `; ${percent(toSeller)} of the seller's is from there` : '';
  return `${bidder} has ${percent(fromSeller)} of its money from the seller's side, and ${percent(shared)} from where the seller's own is from${back}`;
}

import type { PinnedBlocks } from '../../../../agents/determinations/panel/types.ts';
import {
  type MoneyTrails,
  moneyTrails,
  openMoney,
} from '../../../../agents/determinations/shill/money-trails.ts';
import { type Side, TRAIL_HOPS, walksOf } from '../../../../agents/determinations/shill/payers.ts';
import { grouped, type Paid, payersIn, shares } from '../../../../agents/determinations/shill/payments.ts';
import { labelsAt } from '../../../../agents/determinations/wallet/labels.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import { entriesAbout } from '../../../../store/chain-sync/flows.ts';
import { type PaymentRow, sumOwnPayments, sumPayments } from '../../../../store/chain-sync/payments.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf } from '../../deps.ts';
import { pinChains } from '../../pins.ts';
import { requireIndexedByOne } from '../transfers/indexed.ts';
import { heldRanges, microOf, planTransfers, type TransferPlan } from '../transfers/plan.ts';
import { labelEntries } from '../wallet/labels.ts';

/** The newest payments in earnest of an address, and the newest deals of an owner, that are read. */
const MOST_PAYMENTS = 1_000;
const MOST_DEALS = 1_000;
/** So many payers are followed back at each hop: those by way of whom the largest share of a side's money came. */
const MOST_FOLLOWED = 1_000;

interface Question {
  readonly chainId: number;
  readonly seller: Side;
  readonly bidders: readonly Side[];
  /** The bidders who bid at hardly any other seller; null where that is not known. */
  readonly attached: ReadonlySet<string> | null;
  /** Whether bidders on one purse are a finding: in a deal, which is of one listing, they are none; left out: they are. */
  readonly purses?: boolean;
  /** On how many of the seller's lots each bidder bid. */
  readonly lotsOf: ReadonlyMap<string, number>;
  /** The blocks at which the chain is pinned; absent: it is pinned now. */
  readonly blocks?: PinnedBlocks;
}

/**
 * Follows the dollars of a seller and of its bidders back over this service's index of transfers, without the prices of
 * deals. Nobody's address is told, and shares are rounded, because bidders are private and the chain is not.
 * @returns null where transfers are not followed; undefined where no chain is configured
 */
export async function gatherMoneyTrails(
  deps: EvidenceDeps,
  question: Question,
): Promise<MoneyTrails | null | undefined> {
  const { chainId, seller, bidders, attached, purses = true, lotsOf, blocks: pinned } = question;
  const nothing = { hops: TRAIL_HOPS, bidders: [] };
  const money = await followMoney(deps, {
    chainId,
    sides: [seller, ...bidders],
    ...(pinned === undefined ? {} : { blocks: pinned }),
  });
  if (money == null) return money;
  if ('fault' in money) return { ...nothing, fault: money.fault };
  const asked = { seller, bidders, ...money, attached, purses };
  const walkOf = walksOf(asked);
  const traced = moneyTrails(asked, walkOf);
  return {
    hops: TRAIL_HOPS,
    bidders: traced.map((b) => ({ ...b, lots: lotsOf.get(b.bidder) ?? 0 })),
    fault: openMoney(asked, walkOf),
    ...(money.from === null ? {} : { from: money.from.toString() }),
  };
}

/** Payments outside of deals to some sides, and on the way to them, and who of the payers is publicly known. */
export interface FollowedMoney {
  readonly payments: readonly Paid[];
  readonly known: ReadonlySet<string>;
  /** To whom more was paid than was looked at. */
  readonly cut: ReadonlySet<string>;
  /** Who paid more than was looked at. */
  readonly busy: ReadonlySet<string>;
  /** The block from which on transfers are kept; null where none is older. */
  readonly from: bigint | null;
}

/**
 * The dollars of some sides, followed back over this service's index of transfers.
 * @returns null where transfers are not followed; undefined where no chain is configured; the fault that kept it from that
 */
export async function followMoney(
  deps: EvidenceDeps,
  {
    chainId,
    sides,
    blocks: pinned,
  }: Pick<Question, 'chainId' | 'blocks'> & { readonly sides: readonly Side[] },
): Promise<FollowedMoney | { readonly fault: string } | null | undefined> {
  if (!deps.readers.has(chainId)) return undefined;
  try {
    const { blocks, faults } =
      pinned === undefined ? await pinChains(deps, [chainId]) : { blocks: pinned, faults: {} };
    const plan = planTransfers(deps, await heldRanges(deps.db, [chainId]), blocks).get(chainId);
    const unread = (faults as Readonly<Record<string, string>>)[caip2(chainId)] ?? plan?.fault;
    if (unread != null) return { fault: unread };
    if (plan === undefined || plan.source !== 'index') return null;
    const [money] = await Promise.all([
      paymentsBack(deps, plan, sides),
      requireIndexedByOne(deps.readers.get(chainId)!, plan.indexed, chainTimeoutMs(deps)),
    ]);
    const from = plan.indexFrom! > plan.origin ? plan.indexFrom : null;
    return { ...money, from };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/**
 * What was paid to these sides, to those who paid them, and so on, and what those payers paid to anybody. Whoever is
 * publicly known is not followed; of whom else it is not, more may have been paid, either way, than was looked at.
 */
async function paymentsBack(
  deps: EvidenceDeps,
  plan: TransferPlan,
  sides: readonly Side[],
): Promise<Omit<FollowedMoney, 'from'>> {
  const own = [...new Set(sides.flatMap((side) => side.addresses))].sort();
  const ask = { chainId: plan.chainId, until: plan.historyTo!, most: MOST_PAYMENTS };
  const { paid, without } = await sumOwnPayments(deps.db, { ...ask, addresses: own, deals: MOST_DEALS });
  const found = new Map<string, Paid>();
  const [cut, busy] = [new Set<string>(), new Set<string>()];
  /** Keeps what these were paid, and what they paid where that was read. */
  const read = (all: readonly PaymentRow[]): void => {
    const out = all.filter(({ way }) => way === 'out');
    const rows = all.filter(({ way }) => way === 'into');
    for (const who of moreThanRead(out, ({ from }) => from)) busy.add(who);
    for (const who of moreThanRead(rows, ({ to }) => to)) cut.add(who);
    for (const payment of inDollars(all, plan))
      found.set(`${payment.from} ${payment.to}`, larger(found, payment));
  };
  const asked = new Set(own);
  const met = new Set<string>();
  const known = new Set<string>([NOBODY]);
  read(paid);
  let levels = sides.map((side): Level => [[side.addresses, 1]]);
  // Of the last ones, too, it is read who pays them: how many do decides whether they have customers.
  for (let hop = 0; hop < TRAIL_HOPS; hop++) {
    const payersOf = payersIn(grouped([...found.values()], (p) => p.to));
    const back = levels.map((level) => sharesBack(level, payersOf));
    const fresh = [...new Set(back.flatMap((level) => [...level.keys()]))].filter((who) => !met.has(who));
    for (const who of fresh) met.add(who);
    const entries = labelEntries(await entriesAbout(deps.db, fresh.sort()));
    for (const { key } of labelsAt(entries, deps.now().toISOString()).labels) known.add(key);
    levels = back.map((level) =>
      [...level].flatMap(([who, share]) => (known.has(who) ? [] : [[[who], share]])),
    );
    const followed = largest(
      levels.flat().map(([[who], share]) => [who!, share]),
      asked,
    );
    for (const who of followed) asked.add(who);
    read(await sumPayments(deps.db, { ...ask, without, addresses: followed }));
  }
  for (const who of met)
    if (!asked.has(who) && !known.has(who)) for (const unread of [cut, busy]) unread.add(who);
  return { payments: [...found.values()], known, cut, busy };
}

/** Of a side's money, some payments back, what share came by way of which addresses. */
type Level = readonly (readonly [addresses: readonly string[], share: number])[];

/** The shares one payment further back. */
function sharesBack(level: Level, payersOf: ReturnType<typeof payersIn>): Map<string, number> {
  const back = new Map<string, number>();
  for (const [addresses, share] of level)
    for (const [payer, part] of shares(payersOf(addresses)))
      back.set(payer, (back.get(payer) ?? 0) + share * part);
  return back;
}

/** By way of whom the largest share of any side's money came, but for those who were asked. */
function largest(reached: readonly (readonly [string, number])[], asked: ReadonlySet<string>): string[] {
  const most = new Map<string, number>();
  for (const [who, share] of reached) if (!asked.has(who)) most.set(who, Math.max(share, most.get(who) ?? 0));
  return [...most]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MOST_FOLLOWED)
    .map(([who]) => who);
}

/** Of whom there may be more payments in earnest than were read. */
function moreThanRead(rows: readonly PaymentRow[], by: (row: PaymentRow) => string): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(by(row), (counts.get(by(row)) ?? 0) + row.earnest);
  return [...counts].flatMap(([who, count]) => (count >= MOST_PAYMENTS ? [who] : []));
}

function inDollars(rows: readonly PaymentRow[], { tokens }: TransferPlan): Paid[] {
  const dollars = new Map(tokens.map((t) => [t.token.toLowerCase(), t]));
  return rows.flatMap(({ from, to, token, amount }) => {
    const dollar = dollars.get(token);
    return dollar === undefined ? [] : [{ from, to, usd: microOf(BigInt(amount), dollar) }];
  });
}

/** The same payments are found by who paid and by who was paid: the more complete sum counts. */
function larger(found: ReadonlyMap<string, Paid>, payment: Paid): Paid {
  const held = found.get(`${payment.from} ${payment.to}`);
  return held === undefined || held.usd < payment.usd ? payment : held;
}

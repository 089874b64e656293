import type { PinnedBlocks } from '../../../agents/determinations/panel/types.ts';
import {
  halfSeen,
  type MoneyTrails,
  moneyTrails,
  type Paid,
  type Side,
  TRAIL_HOPS,
} from '../../../agents/determinations/shill/money-trails.ts';
import { labelsAt } from '../../../agents/determinations/wallet/labels.ts';
import { entriesAbout } from '../../../store/chain-sync/flows.ts';
import { type PaymentRow, sumOwnPayments, sumPayments } from '../../../store/chain-sync/payments.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf } from '../deps.ts';
import { pinChains } from '../pins.ts';
import { labelEntries } from './labels.ts';
import { requireIndexedByOne } from './transfers/indexed.ts';
import { heldRanges, microOf, planTransfers, type TransferPlan } from './transfers/plan.ts';

/** The newest payments in earnest of an address, and the newest deals of an owner, that are read. */
const MOST_PAYMENTS = 1_000;
const MOST_DEALS = 1_000;
/** So many payers are followed back at each hop: those of the most money. */
const MOST_FOLLOWED = 200;

interface Question {
  readonly chainId: number;
  readonly seller: Side;
  readonly bidders: readonly Side[];
  /** The bidders who bid at hardly any other seller; null where that is not known. */
  readonly attached: ReadonlySet<string> | null;
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
  const { chainId, seller, bidders, attached, lotsOf, blocks: pinned } = question;
  const nothing = { hops: TRAIL_HOPS, bidders: [] };
  const money = await followMoney(deps, {
    chainId,
    sides: [seller, ...bidders],
    ...(pinned === undefined ? {} : { blocks: pinned }),
  });
  if (money == null) return money;
  if ('fault' in money) return { ...nothing, fault: money.fault };
  const traced = moneyTrails({ seller, bidders, ...money, attached });
  const open = halfSeen({ seller, bidders, ...money, attached });
  return {
    hops: TRAIL_HOPS,
    bidders: traced.map((b) => ({ ...b, lots: lotsOf.get(b.bidder) ?? 0 })),
    fault: open.length === 0 ? null : `more was paid on the way to ${named(open)} than was looked at`,
  };
}

const NAMED = 3;

function named(sides: readonly string[]): string {
  const more = sides.length > NAMED ? ` and ${sides.length - NAMED} more` : '';
  return `${sides.slice(0, NAMED).join(', ')}${more}`;
}

/** Payments outside of deals to some sides, and on the way to them, and who of the payers is publicly known. */
export interface FollowedMoney {
  readonly payments: readonly Paid[];
  readonly known: ReadonlySet<string>;
  /** To whom more was paid than was looked at. */
  readonly cut: ReadonlySet<string>;
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
    const [{ payments, cut }] = await Promise.all([
      paymentsBack(deps, plan, sides),
      requireIndexedByOne(deps.readers.get(chainId)!, plan.indexed, chainTimeoutMs(deps)),
    ]);
    const payers = [...new Set(payments.map((p) => p.from))].sort();
    const entries = labelEntries(await entriesAbout(deps.db, payers));
    const { labels } = labelsAt(entries, deps.now().toISOString());
    return { payments, known: new Set(labels.map(({ key }) => key)), cut };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** What was paid to these sides, to those who paid them, and so on, and what those payers paid to anybody. */
async function paymentsBack(
  deps: EvidenceDeps,
  plan: TransferPlan,
  sides: readonly Side[],
): Promise<Omit<FollowedMoney, 'known'>> {
  const own = [...new Set(sides.flatMap((side) => side.addresses))].sort();
  const ask = { chainId: plan.chainId, until: plan.historyTo!, most: MOST_PAYMENTS };
  const { paid, without } = await sumOwnPayments(deps.db, { ...ask, addresses: own, deals: MOST_DEALS });
  const found = new Map<string, Paid>();
  const keep = (rows: readonly PaymentRow[]): Paid[] => {
    const paid = inDollars(rows, plan);
    for (const payment of paid) found.set(`${payment.from} ${payment.to}`, larger(found, payment));
    return paid;
  };
  const cut = new Set<string>();
  /** Keeps what these were paid, and what they paid where that was read. @returns what they were paid */
  const read = (all: readonly PaymentRow[]): Paid[] => {
    keep(all.filter(({ way }) => way === 'out'));
    const rows = all.filter(({ way }) => way === 'into');
    const counts = new Map<string, number>();
    for (const { to, earnest } of rows) counts.set(to, (counts.get(to) ?? 0) + earnest);
    for (const [to, count] of counts) if (count >= MOST_PAYMENTS) cut.add(to);
    return keep(rows);
  };
  const asked = new Set(own);
  let into = read(paid);
  // Of the last ones, too, it is read who pays them: how many do decides whether they have customers.
  for (let hop = 0; hop < TRAIL_HOPS; hop++) {
    const frontier = largest(into).filter((payer) => !asked.has(payer));
    for (const address of frontier) asked.add(address);
    into = read(await sumPayments(deps.db, { ...ask, without, addresses: frontier }));
  }
  return { payments: [...found.values()], cut };
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

function largest(paid: readonly Paid[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { from, usd } of paid) sums.set(from, (sums.get(from) ?? 0n) + usd);
  return [...sums]
    .sort(([a, one], [b, other]) => (one === other ? (a < b ? -1 : 1) : one > other ? -1 : 1))
    .slice(0, MOST_FOLLOWED)
    .map(([address]) => address);
}

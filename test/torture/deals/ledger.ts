import { sql } from 'kysely';
import { type Address, createPublicClient, erc20Abi, http } from 'viem';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import type { Database } from '../../../store/database.ts';
import type { PoolStage } from '../../fixtures/pool-stage.ts';
import type { Agent, Lot, Story } from '../../fixtures/story-stage.ts';

/** What there was before the first order. */
export interface Opening {
  readonly selling: readonly Agent[];
  readonly buying: readonly Agent[];
  readonly lots: readonly (Lot & { readonly seller: Agent })[];
  /** Micro-dollars of each account, and of the vault of fees. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

/** Where all the money and every lot are at the end, and what the service has written about it. */
export interface Ledger {
  readonly deals: { readonly settled: number; readonly stopped: number; readonly lots: number };
  /** Micro-dollars, in decimal: what buyers paid, what sellers got, what the vault kept. */
  readonly paid: string;
  readonly earned: string;
  readonly fees: string;
  readonly records: number;
  readonly reservationsHeld: number;
  readonly deadLetters: number;
  /** Why deals came to nothing, each reason once. */
  readonly reasons: readonly string[];
  /** Each thing that does not add up. */
  readonly faults: readonly string[];
}

export function vaultOf(stage: PoolStage): Address {
  return home(stage).vault;
}

function home(stage: PoolStage) {
  const chain = findRunning(stage.folder.dataDir)?.chains['1002'];
  if (!chain) throw new Error('no API runs');
  return chain;
}

export async function balancesOf(
  stage: PoolStage,
  holders: readonly Address[],
): Promise<ReadonlyMap<Address, bigint>> {
  const { rpcUrl, usdc: address } = home(stage);
  const client = createPublicClient({ transport: http(rpcUrl) });
  const read = async (holder: Address) =>
    [
      holder,
      await client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
    ] as const;
  return new Map(await Promise.all(holders.map(read)));
}

/** Accounts for every lot, micro-dollar, reservation, match and record, by the chain and by the database. */
export async function account(stage: PoolStage, story: Story, opening: Opening): Promise<Ledger> {
  const faults: string[] = [];
  const must = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  const { db } = stage;
  const deals = await dealsOf(db);
  const settled = deals.filter((deal) => deal.state === 'recorded');
  const events = await settlementsOf(stage);
  must(
    events.length === settled.length,
    `${events.length} settlements on the chain, ${settled.length} in the database`,
  );

  const accountOf = new Map(
    [...opening.selling, ...opening.buying].map((a) => [a.handle, a.account] as const),
  );
  const expected = new Map(opening.balances);
  const move = (holder: Address, by: bigint): void =>
    void expected.set(holder, (expected.get(holder) ?? 0n) + by);
  const vault = vaultOf(stage);
  let [paid, fees] = [0n, 0n];
  for (const { buyer, seller, price, fee } of settled) {
    move(accountOf.get(buyer)!, -price);
    move(accountOf.get(seller)!, price - fee);
    move(vault, fee);
    [paid, fees] = [paid + price, fees + fee];
  }
  for (const [holder, balance] of await balancesOf(stage, [...expected.keys()]))
    must(
      balance === expected.get(holder),
      `${holder} has ${balance} micro-dollars, and not ${expected.get(holder)}`,
    );

  for (const lot of opening.lots) {
    const sold = settled.filter((deal) => deal.listing === lot.listingRef);
    must(sold.length <= 1, `${lot.listingRef} was sold ${sold.length} times`);
    const owner = sold[0] === undefined ? lot.seller.account : accountOf.get(sold[0].buyer)!;
    const holder = await story.chain().ownerOf(lot);
    must(
      holder.toLowerCase() === owner.toLowerCase(),
      `${lot.listingRef} belongs to ${holder}, and not to ${owner}`,
    );
  }
  for (const deal of deals) {
    const wanted = deal.state === 'recorded' ? 1 : 0;
    must(
      deal.records === wanted,
      `${deal.deal_id}, ${deal.state}, has ${deal.records} records of its settlement`,
    );
    const state = deal.state === 'recorded' ? 'spent' : 'released';
    must(
      deal.reservation === state,
      `${deal.deal_id}, ${deal.state}: what it reserved is ${deal.reservation}`,
    );
    must(['recorded', 'stopped', 'failed'].includes(deal.state), `${deal.deal_id} is still ${deal.state}`);
  }
  const reservationsHeld = await orphans(db);
  must(reservationsHeld === 0, `${reservationsHeld} reservations are held by no order that rests`);
  const deadLetters = await countOf(db, 'mailbox', 'dead_lettered_at');
  must(deadLetters === 0, `${deadLetters} events are dead letters`);
  const records = await db.selectFrom('records').select(['record_id', 'batch_id']).execute();
  must(
    records.every((r) => r.batch_id !== null),
    'a record is under no root',
  );
  return {
    deals: { settled: settled.length, stopped: deals.length - settled.length, lots: opening.lots.length },
    ...{ paid: String(paid), earned: String(paid - fees), fees: String(fees) },
    ...{ records: records.length, reservationsHeld, deadLetters, faults },
    reasons: [...new Set(deals.flatMap(({ reason }) => (reason === null ? [] : [shapeOf(reason)])))],
  };
}

/** A reason without the numbers and addresses in it. */
function shapeOf(reason: string): string {
  return reason.replaceAll(/0x[0-9a-f]+|\d+/g, '…');
}

interface DealRow {
  readonly deal_id: string;
  readonly buyer: string;
  readonly seller: string;
  readonly price: bigint;
  readonly fee: bigint;
  readonly state: string;
  readonly reason: string | null;
  readonly listing: string;
  readonly reservation: string;
  readonly records: number;
}

async function dealsOf(db: Database): Promise<readonly DealRow[]> {
  const { rows } = await sql<DealRow>`
    select d.deal_id, d.buyer, d.seller, d.price, d.fee, d.state, d.reason, o.listing_ref as listing,
      r.state as reservation, (select count(*)::int from records where kind = 'deal-settled'
        and record_id = 'rec_' || left(encode(sha256(convert_to('deal-settled:' || d.deal_id, 'UTF8')), 'hex'), 32)) as records
    from deals d join matches m using (match_id) join orders o on o.order_id = m.buy_order
      join reservations r on r.order_id = m.buy_order`.execute(db);
  return rows;
}

async function orphans(db: Database): Promise<number> {
  const rows = await db
    .selectFrom('reservations')
    .innerJoin('orders', 'orders.order_id', 'reservations.order_id')
    .select('reservations.order_id')
    .where('reservations.state', '=', 'held')
    .where('orders.status', 'not in', ['resting', 'unfunded'])
    .execute();
  return rows.length;
}

async function countOf(db: Database, table: 'mailbox', column: 'dead_lettered_at'): Promise<number> {
  return (await db.selectFrom(table).select(column).where(column, 'is not', null).execute()).length;
}

async function settlementsOf(stage: PoolStage): Promise<readonly unknown[]> {
  const { rpcUrl, settlement: address } = home(stage);
  const client = createPublicClient({ transport: http(rpcUrl) });
  return await client.getContractEvents({
    address,
    abi: settlementAbi,
    eventName: 'DealSettled',
    fromBlock: 0n,
  });
}

import { sql } from 'kysely';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import type { OrderedAgent } from '../../chain/clients/minted-as-ordered.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { type ChainReader, ReaderError } from '../../chain/rpc/reader.ts';
import { chainWatch } from '../../runtime/chain-sync/watch-chain.ts';
import { orderedAgent, orderedKey } from '../../runtime/checkout/mint-agent.ts';
import { purchaseRecord } from '../../runtime/checkout/purchase-record.ts';
import { recordPurchaseEffect } from '../../runtime/checkout/record-purchase.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { findCheckout } from '../../store/checkout/checkouts.ts';
import { recordsOf, retractionOf } from '../../store/records/record-status.ts';
import { insertRecord } from '../../store/records/records.ts';
import { mintLogs } from '../fixtures/chain/mint-logs.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

/** After the chain went back, every booked mint is read again, until it is seen to stand. */

const AGAIN_MS = 10_000;

let database: Awaited<ReturnType<typeof testDatabase>>;
let market: ReturnType<typeof marketStage>;
let services: Services;
let look: () => Promise<void>;
let wentBack = false;
let head = 9n;
/** By the payment: where its mint stands; it is nowhere when left out. */
const mints = new Map<Hex, { tokenId: bigint; account: Hex; tx: Hex; order: OrderedAgent & { key: Hex } }>();
const dark = new Set<Hex>();
let asked: Hex[] = [];
let afterAsked: (payment: Hex) => Promise<void> = async () => {};
let isUnderWay = true;
const logged: string[] = [];

const keys = sessionKeys(`0x${'5e'.repeat(32)}`);
const mandate = {
  ...{ side: 'buy', currency: 'USDC', cap_per_deal: '50', expires_at: '2027-03-31T23:59:59Z' },
} as unknown as Mandate;
const hex = (n: number, bytes: number): Hex => `0x${n.toString(16).padStart(bytes * 2, '0')}`;
const [agentNft, policy, usdc, ledger] = [0xa9, 0xaa, 0xab, 0xac].map((n) => hex(n, 20)) as [
  Hex,
  Hex,
  Hex,
  Hex,
];
const deployment = { agentNft, policy, usdc, ledger, deployedAtBlock: 0 };
/** By the root: where it is anchored. */
const anchors = new Map<Hex, { transactionHash: Hex; blockNumber: bigint }>();

const mintOf = (tokenId: bigint) => [...mints].find(([, mint]) => mint.tokenId === tokenId)!;
const reader = {
  chainId: 1002,
  head: async () => ({ number: head, hash: '0x09', timestamp: 9n }),
  async read({ functionName, args }: { functionName: string; args: readonly [never] }) {
    if (functionName === 'anchoredAt') return anchors.has(args[0]) ? 1 : 0;
    if (functionName === 'accountOf') return mintOf(args[0])[1].account;
    asked.push(args[0]);
    await afterAsked(args[0]);
    if (dark.has(args[0])) throw new ReaderError('down', 'the node does not answer');
    return mints.get(args[0])?.tokenId ?? 0n;
  },
  async logs({ address, topics }: { address: Hex; topics: readonly Hex[] }) {
    if (address === ledger) return [anchors.get(topics[1]!)];
    const [, { tx, order, ...mint }] = mintOf(BigInt(topics[1]!));
    return mintLogs(deployment, mint, order)
      .filter((log) => log.address === address)
      .map((log) => ({ ...log, transactionHash: tx, blockNumber: 3n, logIndex: 0 }));
  },
} as unknown as ChainReader;

/** An agent as it is booked, whose mint stands there. */
async function minted(n: number): Promise<Hex> {
  const handle = await market.agent(`minted-${n}`);
  const mint = { tokenId: BigInt(n), account: hex(n, 20), tx: hex(n, 32) };
  const { tokenId: token_id, account, tx: mint_tx } = mint;
  const set = { token_id, account, mint_tx, since: market.now() };
  await database.db.updateTable('agents').set(set).where('handle', '=', handle).execute();
  const { checkout_id: id } = (await findAgent(database.db, handle))!;
  const details = JSON.stringify({
    mandateText: '',
    mandate,
    mandateHash: hex(1, 32),
    sessionKeyIndex: `${n}`,
  });
  const ordered = { details, owner: hex(0x0e, 20) };
  await database.db.updateTable('checkouts').set(ordered).where('id', '=', id).execute();
  const checkout = (await findCheckout(database.db, id))!;
  const order = { ...orderedAgent(checkout), key: orderedKey({ sessionKeys: keys }, checkout) };
  mints.set(order.paymentRef, { ...mint, order });
  return order.paymentRef;
}

/** Files the record of a purchase, as it is now. */
async function filed(handle: string): Promise<string> {
  const signed = (await purchaseRecord(services, `co_${handle}`))!;
  await database.db.transaction().execute((trx) => insertRecord(trx, signed));
  return signed.record.recordId;
}

const recordsIn = (handle: string) => recordsOf(database.db, { kind: 'agent-purchase', handle });
const mintTxOf = async (handle: string) => (await findAgent(database.db, handle))!.mint_tx;

/** It was booked so long ago that nobody looks at it any more. */
async function forget(handle: string, payment: Hex): Promise<void> {
  mints.delete(payment);
  const since = new Date(0);
  await database.db.updateTable('agents').set({ since }).where('handle', '=', handle).execute();
}

/** What is asked about which mints in the next look. */
async function looked(): Promise<Hex[]> {
  market.tick(AGAIN_MS);
  await pausesOver(database.db);
  asked = [];
  await look();
  wentBack = false;
  return [...asked].sort();
}

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
  const { db } = database;
  services = {
    db,
    config: { confirmations: 0 },
    signRecord: async () => '0x5192ed',
    quarantine: quietQuarantine(db),
    home: {
      chainId: 1002,
      deployment,
      readers: { viem: reader, ethers: reader },
      minter: { underWay: async () => isUnderWay },
    },
    now: market.now,
    sessionKeys: keys,
    log: { info() {}, warn() {}, error: (_: object, line: string) => logged.push(line) },
  } as unknown as Services;
  look = chainWatch(services, async () => ({ head, wentBack }));
});
afterAll(() => database?.drop());

it('takes back the record of a mint that stands elsewhere, with a record in its place', async () => {
  const { db } = database;
  const payment = await minted(601);
  const recordId = await filed('minted-601');
  const at = mints.get(payment)!;
  // It comes back to the first of two transactions, again and again.
  for (const tx of [hex(888, 32), at.tx, hex(888, 32)]) {
    mints.set(payment, { ...at, tx });
    wentBack = true;
    await looked();
    expect((await findAgent(db, 'minted-601'))!.mint_tx).toBe(tx);
  }
  const all = await recordsIn('minted-601');
  expect(all).toHaveLength(4);
  expect(all[0]).toBe(recordId);
  const reasons = await Promise.all(all.map(async (id) => (await retractionOf(db, id))?.reason));
  expect(reasons).toEqual([...all.slice(1).map((id) => expect.stringContaining(id)), undefined]);
  await forget('minted-601', payment);
});

it('books no mint anew beside a record that was filed meanwhile, but with it', async () => {
  const payment = await minted(602);
  const at = mints.get(payment)!;
  const [tx, slow] = [hex(889, 32), await minted(603)];
  mints.set(payment, { ...at, tx });
  // Another mint is read after it, and its record is filed before that ends.
  afterAsked = async (asked) => {
    if (asked === slow && (await recordsIn('minted-602')).length === 0) await filed('minted-602');
  };
  await database.db
    .updateTable('agents')
    .set({ since: new Date(market.now().getTime() - 1) })
    .where('handle', '=', 'minted-603')
    .execute();
  wentBack = true;
  await looked();
  expect([await recordsIn('minted-602'), await mintTxOf('minted-602')]).toEqual([[expect.anything()], at.tx]);
  await looked();
  const [first, second] = await recordsIn('minted-602');
  expect((await retractionOf(database.db, first!))?.reason).toContain(second);
  expect(await mintTxOf('minted-602')).toBe(tx);
  afterAsked = async () => {};
  await forget('minted-602', payment);
  await forget('minted-603', slow);
});

it('files no record of a mint that was booked elsewhere since it was signed', async () => {
  const payment = await minted(604);
  const context = { params: { checkoutId: 'co_minted-604' } } as unknown as EffectContext;
  const outcome = await recordPurchaseEffect(services).run(context);
  const commit = () => database.db.transaction().execute((trx) => outcome.commit!(trx));
  mints.set(payment, { ...mints.get(payment)!, tx: hex(890, 32) });
  wentBack = true;
  await looked();
  await expect(commit()).rejects.toThrow('moved meanwhile');
  expect(await recordsIn('minted-604')).toEqual([]);
  await forget('minted-604', payment);
});

it('knows a mint by its own transaction, whatever key the checkout names, and whether it is still held', async () => {
  const [payment, dropped] = [await minted(605), await minted(606)];
  await database.db
    .updateTable('checkouts')
    .set({ details: sql`details || '{"sessionKeyIndex": "7"}'` })
    .where('id', '=', 'co_minted-605')
    .execute();
  await database.db
    .updateTable('checkouts')
    .set({ details: sql`details || ${JSON.stringify({ sessionKeyIndex: `${9n * 2n ** 31n}` })}::jsonb` })
    .where('id', '=', 'co_minted-606')
    .execute();
  [wentBack, isUnderWay] = [true, false];
  expect(await looked()).toEqual([payment, dropped].sort());
  expect(await looked()).toEqual([]);
  isUnderWay = true;
  await forget('minted-605', payment);
  await forget('minted-606', dropped);
});

it.each([
  ['is on no chain any more', 607, undefined],
  ['is somebody else’s now', 608, hex(0xbad, 20)],
])('takes back the record of a mint that %s, once it cannot come any more', async (_, n, to) => {
  const payment = await minted(n);
  const handle = `minted-${n}`;
  const recordId = await filed(handle);
  const { order, ...at } = mints.get(payment)!;
  if (to === undefined) mints.delete(payment);
  else mints.set(payment, { ...at, tx: hex(891, 32), order: { ...order, to } });
  const isHeld = async () => (await retractionOf(database.db, recordId)) === null;
  wentBack = true;
  await looked();
  expect(await isHeld()).toBe(true);
  isUnderWay = false;
  (services.config as { confirmations: number }).confirmations = 3;
  head += 2n;
  await looked();
  expect(await isHeld()).toBe(true);
  head += 1n;
  await looked();
  expect(await isHeld()).toBe(false);
  expect(await looked()).toEqual([]);
  (services.config as { confirmations: number }).confirmations = 0;
  isUnderWay = true;
  await forget(handle, payment);
});

it('reads each mint until it stands as booked, and then not before the chain goes back again', async () => {
  const [one, other] = [await minted(501), await minted(502)].sort() as [Hex, Hex];
  wentBack = true;
  expect(await looked()).toEqual([one, other]);
  // What was booked by who had its receipt in hand is read, too.
  const third = await minted(503);
  expect(await looked()).toEqual([third]);
  expect(await looked()).toEqual([]);

  const gone = mints.get(one)!;
  mints.delete(one);
  dark.add(other);
  wentBack = true;
  expect(await looked()).toEqual([one, other, third].sort());
  expect(await looked()).toEqual([one, other].sort());
  dark.clear();
  expect(await looked()).toEqual([one, other].sort());
  // It comes back in another transaction: it is booked anew, and then read once more.
  mints.set(one, { ...gone, tx: hex(777, 32) });
  expect([await looked(), await looked(), await looked()]).toEqual([[one], [one], []]);
  expect((await findAgent(database.db, `minted-${gone.tokenId}`))!.mint_tx).toBe(hex(777, 32));
});

it('does not book what somebody else minted for a payment meanwhile, and says that a person must look', async () => {
  const payment = await minted(504);
  const mint = mints.get(payment)!;
  mints.set(payment, { ...mint, tx: hex(778, 32), order: { ...mint.order, to: hex(0xbad, 20) } });
  [wentBack, isUnderWay] = [true, false];
  expect(await looked()).toContain(payment);
  expect(logged).toContain('a reorg removed a mint for good: a person must look');
  expect((await findAgent(database.db, 'minted-504'))!.mint_tx).toBe(mint.tx);
});

it('reads each mint and each anchor once more when it lies deep, though nobody saw the chain go back', async () => {
  const { db } = database;
  [isUnderWay, wentBack] = [true, true];
  await db
    .updateTable('agents')
    .set({ since: new Date(0) })
    .execute();
  const payment = await minted(609);
  const root = hex(0x7007, 32);
  const [tx, block] = [hex(1, 32), head];
  anchors.set(root, { transactionHash: tx, blockNumber: block });
  await db
    .insertInto('batches')
    .values({ root, size: 1, status: 'anchored', tx, block, anchored_at: market.now() })
    .execute();
  await looked();
  // No doubt is left, and blocks come.
  market.tick(400_000);
  for (let n = 0; n < 3; n++) await looked();
  expect(await looked()).toEqual([]);
  const at = mints.get(payment)!;
  mints.set(payment, { ...at, tx: hex(892, 32) });
  anchors.clear();
  head += 31n;
  expect(await looked()).toEqual([]);
  head += 1n;
  expect(await looked()).toEqual([payment]);
  expect(await mintTxOf('minted-609')).toBe(hex(892, 32));
  const batch = await db.selectFrom('batches').select('status').where('root', '=', root).execute();
  expect(batch).toEqual([{ status: 'open' }]);
  await forget('minted-609', payment);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Side } from '../../agents/determinations/shill/payers.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { gatherMoneyTrails } from '../../runtime/determinations/evidence/shill/bidder-money.ts';
import { addTransfers, type TransferRow } from '../../store/chain-sync/transfers.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { walletStage } from '../fixtures/wallets/wallet-stage.ts';

/** Payments that are worth nothing hide nothing of where a bidder's money came from. */

const USD = 1_000_000n;
let stage: Awaited<ReturnType<typeof walletStage>>;
let place = 1_000_000;
let fresh = 0xb00_000;
const next = (): string => `0x${(fresh++).toString(16).padStart(40, '0')}`;

beforeAll(async () => {
  stage = await walletStage();
});
afterAll(() => stage?.stop());

const row = (block: bigint, sender: string, receiver: string, micro: bigint): TransferRow => ({
  ...{ block, place: place++, tx: `0x${place}`, token: stage.chain.deployment.usdc.toLowerCase() },
  ...{ sender, receiver, amount: micro, at: new Date() },
});

/** The money of one bidder who was paid by the seller over somebody, and what else was moved after that. */
async function trails(
  after: (
    between: string,
    sides: { readonly seller: string; readonly bidder: string },
  ) => readonly (readonly [from: string, to: string, micro: bigint, many: number])[],
  before: (range: { readonly fromBlock: bigint }) => Promise<unknown> = async () => {},
) {
  const [seller, between, bidder] = [next(), next(), next()];
  // What was added before is not on the chain, and is taken back.
  await stage.follow();
  const { viem } = stage.deps.readers.get(1002)!;
  const { number } = await viem.head();
  await rpc(stage.chain.url, 'anvil_mine', ['0x3']);
  const { hash } = await viem.head();
  const rows = [
    row(number + 1n, seller, between, 100n * USD),
    row(number + 2n, between, bidder, 100n * USD),
    ...after(between, { seller, bidder }).flatMap(([from, to, micro, many]) =>
      Array.from({ length: many }, () => row(number + 3n, from, to, micro)),
    ),
  ];
  const range = { fromBlock: number + 1n, toBlock: number + 3n };
  const added = { transfers: rows, created: [] };
  const blocks = [{ block: range.toBlock, hash }];
  expect(await addTransfers(stage.db, 1002, range, blocks, added)).toBe(true);
  await before(range);
  const side = (name: string, address: string): Side => ({ name, addresses: [address] });
  const pin = { number: range.toBlock.toString(), hash, at: new Date().toISOString() };
  const money = await gatherMoneyTrails(stage.deps, {
    ...{ chainId: 1002, seller: side('seller', seller), bidders: [side('bidder', bidder)], attached: null },
    ...{ lotsOf: new Map(), blocks: { 'eip155:1002': pin } },
  });
  const since = money?.from === undefined ? {} : { from: money.from };
  const { fromSeller, shared } = money?.bidders[0] ?? {};
  return { fromSeller, ...(shared === 0 ? {} : { shared }), fault: money?.fault, ...since };
}

it('is followed behind transfers of nothing, and those to oneself', async () => {
  const told = await trails((between) => [
    [between, between, 0n, 1_500],
    [between, between, 5n * USD, 1_500],
    [next(), between, 0n, 1_500],
  ]);
  expect(told).toEqual({ fromSeller: 1, fault: null });
});

it('is open where more was paid on the way than was looked at', async () => {
  const told = await trails((between) => [[next(), between, USD, 1_000]]);
  expect(told.fault).toMatch(/^it is open whose the money of bidder is: /);
  const few = await trails((between) => [[next(), between, USD, 25]]);
  expect(few).toEqual({ fromSeller: 0.8, fault: null });
});

it('is open where one who paid both sides paid so often that its customers may not have been looked at', async () => {
  const paying = (payments: number) =>
    trails((_between, sides) => {
      const own = next();
      return [
        ...Object.values(sides).map((to) => [own, to, 50_000n * USD, 1] as const),
        ...Array.from({ length: 12 }, () => [own, next(), USD, payments] as const),
      ];
    });
  expect((await paying(84)).fault).toMatch(/^it is open whose the money of seller, bidder is: /);
  expect((await paying(80)).fault).toBeNull();
});

/** Of each of these what it paid. */
const each = (from: readonly string[], to: string, micro: bigint) =>
  from.map((payer) => [payer, to, micro, 1] as const);
const many = (count: number): string[] => Array.from({ length: count }, next);

it('is followed beside five dollars of an exchange into which hundreds pay more', async () => {
  const told = await trails((_between, { seller, bidder }) => {
    const [exchange, first, second] = [next(), next(), next()];
    return [
      [seller, first, 1_000n * USD, 1],
      [first, second, 1_000n * USD, 1],
      [second, bidder, 1_000n * USD, 1],
      [exchange, bidder, 5n * USD, 1],
      ...each(many(1_100), exchange, 3_000n * USD),
    ];
  });
  expect(told).toEqual({ fromSeller: 1, fault: null });
});

it('is open behind more payers than are followed, unless an exchange is known for the most of them', async () => {
  const exchange = next();
  const ways = () =>
    trails((_between, { seller, bidder }) => {
      const [hub, wallets] = [next(), many(900)];
      return [
        [exchange, bidder, 1_500n * USD, 1],
        ...each(many(900), exchange, 3_000n * USD),
        [hub, bidder, 900n * USD, 1],
        ...each(wallets, hub, USD),
        ...wallets.map((wallet) => [seller, wallet, USD, 1] as const),
      ];
    });
  expect((await ways()).fault).toMatch(/^it is open whose the money of bidder is: /);
  await importRegister(stage.db, {
    ...{ register: 'labels', source: 'exchanges', asOf: new Date(), mode: 'add' },
    rows: (async function* () {
      yield { key: exchange, detail: { kind: 'exchange' } };
    })(),
  });
  expect(await ways()).toEqual({ fromSeller: 0.4, fault: null });
});

it('is nobody’s where both sides fill their wallets at one exchange, beside five dollars of a larger one', async () => {
  const told = await trails((_between, { seller, bidder }) => {
    const [exchange, larger, sellers, bidders] = [next(), next(), next(), next()];
    return [
      [exchange, sellers, 100_000n * USD, 1],
      [exchange, bidders, 100_000n * USD, 1],
      [sellers, seller, 100_000n * USD, 1],
      [bidders, bidder, 100_000n * USD, 1],
      ...each(many(30), exchange, 90_000n * USD),
      ...many(30).map((customer) => [exchange, customer, 90_000n * USD, 1] as const),
      [larger, bidder, 5n * USD, 1],
      ...each(many(1_100), larger, 300_000n * USD),
    ];
  });
  expect(told).toEqual({ fromSeller: 0, fault: null });
});

it('tells from which block on transfers are kept, where there were some before', async () => {
  let first = '';
  const told = await trails(
    () => [],
    async ({ fromBlock }) => {
      first = `${fromBlock}`;
      // As after an index that begins late, or whose oldest part was dropped.
      await stage.db.updateTable('transfer_ranges').set({ from_block: fromBlock }).execute();
    },
  );
  expect(told).toEqual({ fromSeller: 1, fault: null, from: first });
});

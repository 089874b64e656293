import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Side } from '../../agents/determinations/shill/money-trails.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { gatherMoneyTrails } from '../../runtime/determinations/evidence/bidder-money.ts';
import { addTransfers, type TransferRow } from '../../store/chain-sync/transfers.ts';
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

/** The money of one bidder who was paid by the seller over somebody, and what that one moved after that. */
async function trails(
  after: (between: string) => readonly [from: string, to: string, micro: bigint, many: number][],
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
    ...after(between).flatMap(([from, to, micro, many]) =>
      Array.from({ length: many }, () => row(number + 3n, from, to, micro)),
    ),
  ];
  const range = { fromBlock: number + 1n, toBlock: number + 3n };
  const added = { transfers: rows, created: [] };
  const blocks = [{ block: range.toBlock, hash }];
  expect(await addTransfers(stage.db, 1002, range, blocks, added)).toBe(true);
  const side = (name: string, address: string): Side => ({ name, addresses: [address] });
  const pin = { number: range.toBlock.toString(), hash, at: new Date().toISOString() };
  const money = await gatherMoneyTrails(stage.deps, {
    ...{ chainId: 1002, seller: side('seller', seller), bidders: [side('bidder', bidder)], attached: null },
    ...{ lotsOf: new Map(), blocks: { 'eip155:1002': pin } },
  });
  return { fromSeller: money?.bidders[0]?.fromSeller, fault: money?.fault };
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
  expect(told.fault).toBe('more was paid on the way to bidder than was looked at');
  const few = await trails((between) => [[next(), between, USD, 25]]);
  expect(few).toEqual({ fromSeller: 0.8, fault: null });
});

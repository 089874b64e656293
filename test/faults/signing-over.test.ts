import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import type { ChainReader, ReadCall } from '../../chain/rpc/reader.ts';
import { settleEffect } from '../../runtime/deal/settle.ts';
import { settlementTerms } from '../../runtime/deal/settle-deal.ts';
import { settlementOver } from '../../runtime/deal/signing-over.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import type { Services } from '../../runtime/services.ts';
import { loadDeal } from '../../store/deal/deals.ts';
import { keepDeadline, keepRefusal } from '../../store/deal/signings.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

/** Until its deadline, anyone may settle a deal by what both keys signed: it is not given up before. */

const HASH: Hex = `0x${'7'.repeat(64)}`;
const ADDRESS: Hex = `0x${'5'.repeat(40)}`;
const UNTIL = 1_800_000_000n;
const CONFIRMATIONS = 3;

let database: TestDatabase;
let dealId: string;
let head: { number: bigint; timestamp: bigint };
let services: Services;
/** Whether the second node knows of the settlement, which the first denies. */
let otherKnows = false;

beforeAll(async () => {
  database = await testDatabase();
  const stage = marketStage(database.db);
  const [seller, buyer] = [await stage.agent(), await stage.agent()];
  const lot = await stage.list(seller, { asset: stage.asset(), ask: 100_000_000n, negotiable: false });
  for (const [handle, n] of [
    [seller, '1'],
    [buyer, '2'],
  ] as const)
    await database.db
      .updateTable('agents')
      .set({ account: `0x${n.repeat(40)}` })
      .where('handle', '=', handle)
      .execute();
  dealId = (await stage.order(buyer, lot, { limit: 100_000_000n })).match!.dealId;
  const reader = {
    chainId: 1002,
    head: async () => ({ ...head, hash: HASH }),
    read: async ({ functionName, block }: ReadCall) => {
      if (functionName !== 'settledAt') throw new Error(`nobody asks for ${functionName}`);
      expect(block).toBe(head.number);
      return 0;
    },
  } as unknown as ChainReader;
  const other = {
    ...reader,
    read: async () => (otherKnows ? 1 : 0),
    logs: async () => [await settlementLog()],
    blockHash: async () => HASH,
  } as unknown as ChainReader;
  services = {
    db: database.db,
    now: () => new Date(),
    config: { confirmations: CONFIRMATIONS },
    home: {
      chainId: 1002,
      deployment: { chainId: 1002, deployedAtBlock: 1, settlement: ADDRESS, usdc: ADDRESS, assets: ADDRESS },
      readers: { viem: reader, ethers: other },
    },
  } as unknown as Services;
});
afterAll(() => database?.drop());

beforeEach(async () => {
  await database.db
    .updateTable('deals')
    .set({ signed_until: null, signed_over: null, refusal: null })
    .execute();
  head = { number: 100n, timestamp: UNTIL - 100n };
  otherKnows = false;
});

/** The log by which the contract says that it settled exactly this deal. */
async function settlementLog() {
  const { deployment } = services.home;
  const { dealId: id, ...terms } = await settlementTerms(services, dealId);
  const { asset, tokenId, token, price, fee, seller, buyer } = terms;
  return {
    address: deployment.settlement,
    topics: encodeEventTopics({
      ...{ abi: settlementAbi, eventName: 'DealSettled', args: { dealId: id, seller, buyer } },
    }),
    data: encodeAbiParameters(
      ['address', 'uint256', 'address', 'uint256', 'uint256'].map((type) => ({ type })),
      [asset, tokenId, token, price, fee],
    ),
    ...{ blockNumber: 90n, blockHash: HASH, transactionHash: HASH, logIndex: 0 },
  };
}

const sign = async (until: bigint) =>
  await keepDeadline(database.db, await loadDeal(database.db, dealId), until);
const kindNow = async () => (await settlementOver(services, dealId)).kind;
const context = () =>
  ({ params: { dealId, determinedAt: Date.now() }, attempt: 2 }) as unknown as EffectContext;

describe('a deal that was signed', () => {
  it('is open until a block after its deadline has its confirmations', async () => {
    expect(await sign(UNTIL)).toBe(true);
    expect(await settlementOver(services, dealId)).toEqual({ kind: 'open', againMs: 5_000 });
    head = { number: 150n, timestamp: UNTIL };
    expect(await settlementOver(services, dealId)).toEqual({ kind: 'open', againMs: 1_000 });
    head = { number: 151n, timestamp: UNTIL + 1n };
    expect(await kindNow()).toBe('open');
    head = { number: 153n, timestamp: UNTIL + 5n };
    expect(await kindNow()).toBe('open');
    head = { number: 154n, timestamp: UNTIL + 6n };
    expect(await kindNow()).toBe('none');
  });

  it('is open as long as the second node knows of its settlement, which the first denies', async () => {
    await sign(UNTIL);
    head = { number: 151n, timestamp: UNTIL + 1n };
    expect(await kindNow()).toBe('open');
    head = { number: 200n, timestamp: UNTIL + 60n };
    otherKnows = true;
    expect(await settlementOver(services, dealId)).toEqual({ kind: 'open', againMs: 5_000 });
    otherKnows = false;
    expect(await kindNow()).toBe('none');
  });

  it('is open until the latest of its deadlines, whichever was signed last', async () => {
    await sign(UNTIL + 60n);
    await sign(UNTIL);
    head = { number: 200n, timestamp: UNTIL + 60n };
    expect(await kindNow()).toBe('open');
    head = { number: 201n, timestamp: UNTIL + 61n };
    expect(await kindNow()).toBe('open');
    await sign(UNTIL + 120n);
    head = { number: 230n, timestamp: UNTIL + 100n };
    expect(await kindNow()).toBe('open');
  });

  it('is signed by no attempt that began before somebody looked whether it is over', async () => {
    const before = await loadDeal(database.db, dealId);
    expect(await kindNow()).toBe('none');
    expect(await keepDeadline(database.db, before, UNTIL)).toBe(false);
    expect(await kindNow()).toBe('none');
  });
});

describe('a settlement that the chain refused in a block', () => {
  it('is not sent again, and is given up when nobody can settle it any more', async () => {
    await sign(UNTIL);
    await keepRefusal(database.db, dealId, 'the chain refused the settlement: AgentPaused');
    const effect = settleEffect(services);
    const ends = [() => effect.run(context()), () => effect.givenUp!(context(), '')];
    for (const end of ends) await expect(end()).rejects.toMatchObject({ retry: true, waitMs: 5_000 });
    head = { number: 200n, timestamp: UNTIL + 1n };
    for (const end of ends) await expect(end()).rejects.toMatchObject({ retry: true });
    head = { number: 203n, timestamp: UNTIL + 7n };
    expect(await effect.run(context())).toEqual({
      event: {
        ...{ type: 'EFFECT_FAILED', effect: 'settle' },
        reason: 'the chain refused the settlement: AgentPaused',
      },
    });
    expect(await effect.givenUp!(context(), '')).toBeTypeOf('function');
  });
});

import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainReader, ReaderError } from '../../chain/rpc/reader.ts';
import { ownersFollowed } from '../../runtime/agent/follow-owners.ts';
import { recordOwnerEffect } from '../../runtime/agent/record-owner.ts';
import { processMailbox } from '../../runtime/durable/actors/process-mailbox.ts';
import { spawnActor } from '../../runtime/durable/actors/spawn.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import { agentActor } from '../../runtime/machines.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { findOrder } from '../../store/market/orders.ts';
import { activityOf, closeBatch } from '../../store/records/records.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

const CONFIRMATIONS = 2;

let database: Awaited<ReturnType<typeof testDatabase>>;
let market: ReturnType<typeof marketStage>;
let lot: string;
let chain: ReturnType<typeof accountChain>;
let round: () => Promise<number>;

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
  lot = await market.list(await market.agent());
  chain = accountChain();
  round = chain.rounds();
});
afterAll(() => database?.drop());

/** A chain of accounts and the owners of the tokens to which they are bound; one for all tests, like the database. */
function accountChain() {
  /** The owners of each token, with the block from which each owned it. */
  const owners = new Map<string, { readonly from: bigint; readonly owner: string }[]>();
  const ownerAt = (account: string, at: bigint) => owners.get(account)?.findLast((o) => o.from <= at)?.owner;
  const changes = (account: string, owner: string): void => {
    const before = (owners.get(account) ?? []).filter((o) => o.from < block);
    owners.set(account, [...before, { from: block, owner }]);
  };
  const dark = new Set<string>();
  let block = 1n;
  let asked = 0;
  const reader = {
    chainId: 1002,
    head: async () => ({ number: block }),
    async code(address: Address) {
      asked += 1;
      if (dark.has(address)) throw new ReaderError('down', 'the node does not answer');
      return owners.has(address) ? '0x60' : '0x';
    },
    read: async (call: { address: Address; functionName: string; block: bigint }) =>
      call.functionName === 'token' ? [1002n, call.address, 1n] : ownerAt(call.address, call.block),
  } as unknown as ChainReader;
  const services = {
    db: database.db,
    quarantine: quietQuarantine(database.db),
    home: { chainId: 1002, deployment: { agentNft: '0xNFT' }, readers: { viem: reader } },
    config: { confirmations: CONFIRMATIONS },
    notifier: { actor() {} },
    now: market.now,
    signRecord: async () => '0xsigned',
    log: { info() {}, warn() {} },
  } as unknown as Services;
  return {
    /** The periodic task of a process that starts now. */
    rounds: () => ownersFollowed(services),
    recorder: recordOwnerEffect(services),
    asked: () => asked,
    dark,
    /** Transfers a token to this owner, in a block of its own. */
    gives(account: string, owner: string): void {
      block += 1n;
      changes(account, owner);
    },
    /** Replaces the last block by one in which the token did not move. */
    takesBack(account: string): void {
      owners.set(account, (owners.get(account) ?? []).slice(0, -1));
    },
    mines(): void {
      block += 1n;
    },
    /** Lets the node answer once from the previous block, in which this owner held the token. */
    lags(account: string, owner: string): void {
      block -= 1n;
      changes(account, owner);
    },
  };
}

/** An agent with a running actor that takes its events. */
async function living(handle: string, owner: string): Promise<string> {
  await market.agent(handle, owner);
  await market.inTrx((trx) =>
    spawnActor(trx, agentActor, {
      key: handle,
      input: { handle, mandateEndsInMs: 9_000_000, watches: false },
      now: market.now(),
    }),
  );
  return handle;
}

/** Processes the actor's mailbox. @returns everything that it has asked to be recorded so far */
async function askedToRecord(handle: string): Promise<EffectContext[]> {
  const machines = new Map([[agentActor.kind, agentActor]]);
  await processMailbox({ db: database.db, machines, now: market.now, crash() {} }, `agent:${handle}`);
  const rows = await database.db
    .selectFrom('effects')
    .selectAll()
    .where('actor_id', '=', `agent:${handle}`)
    .where('kind', '=', 'record-owner')
    .orderBy('created_at')
    .execute();
  return rows.map(({ key, actor_id, params }) => ({
    ...{ key, actorId: actor_id, params: params as Record<string, unknown> },
    ...{ attempt: 1, now: market.now(), signal: AbortSignal.timeout(60_000) },
  }));
}

async function carriedOut(asked: EffectContext): Promise<void> {
  const { commit } = await chain.recorder.run(asked);
  if (commit) await market.inTrx(commit);
}

const recordsOf = async (handle: string): Promise<string[]> =>
  (await activityOf(database.db, handle, { limit: 100, offset: 0 })).map((r) => `${r.kind}: ${r.summary}`);

let count = 0;
/** An agent below an account, with a resting order that was placed for the given owner. */
async function ordering(owner: string, by: string): Promise<{ handle: string; orderId: string }> {
  const handle = await living(`below-${++count}`, owner);
  const { order } = await market.order(handle, lot, { owner: by });
  return { handle, orderId: order.order_id };
}

const standing = async ({ handle, orderId }: { handle: string; orderId: string }) => {
  const [agent, order] = await Promise.all([findAgent(database.db, handle), findOrder(database.db, orderId)]);
  return `${agent?.status} ${agent?.suspension_reasons.join()} ${order?.status}`;
};
const GOES_ON = 'active  resting';
const STOPPED = 'paused new-owner cancelled';

describe('the periodic task that reads the beneficial owners of agents', () => {
  it('stops an agent at any depth when the token at the top of its accounts is sold', async () => {
    chain.gives('0xa1', '0xann');
    chain.gives('0xa2', '0xa1');
    chain.gives('0xa3', '0xa2');
    const [deep, beside, direct] = await Promise.all([
      ordering('0xa3', '0xann'),
      ordering('0xa1', '0xann'),
      ordering('0xann', '0xann'),
    ]);
    const without = await living('without-orders', '0xa2');
    expect(await round()).toBe(0);
    chain.mines();
    expect(await round()).toBe(0);
    expect(await standing(deep)).toBe(GOES_ON);

    chain.gives('0xa1', '0xbob');
    expect(await round()).toBe(3);
    expect(await Promise.all([deep, beside, direct].map(standing))).toEqual([STOPPED, STOPPED, GOES_ON]);
    expect((await findAgent(database.db, without))?.suspension_reasons).toEqual(['new-owner']);
    const told = await database.db
      .selectFrom('mailbox')
      .select('event')
      .where('actor_id', '=', `agent:${deep.handle}`)
      .execute();
    expect(told.map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'TRANSFERRED', epoch: 1 }),
    ]);
    expect(await round()).toBe(0);
    // A lagging node reports the previous owner; that changes nothing.
    chain.lags('0xa1', '0xann');
    expect(await round()).toBe(0);
    chain.gives('0xa1', '0xbob');
    expect(await round()).toBe(0);
  });

  it('also stops it when the sale was made while no process was running', async () => {
    chain.gives('0xb1', '0xann');
    const idle = await living('idle-meanwhile', '0xb1');
    expect(await round()).toBe(0);
    chain.gives('0xb1', '0xbob');
    expect(await chain.rounds()()).toBe(1);
    expect((await findAgent(database.db, idle))?.status).toBe('paused');
  });

  it('stops at its first run an agent that ordered for another owner', async () => {
    chain.gives('0xc1', '0xbob');
    const [stale, own] = await Promise.all([ordering('0xc1', '0xann'), ordering('0xc1', '0xbob')]);
    expect(await round()).toBe(1);
    expect(await Promise.all([stale, own].map(standing))).toEqual([STOPPED, GOES_ON]);
  });

  it('never takes an unreadable owner for another one, and reads it again without a new block', async () => {
    chain.gives('0xd1', '0xann');
    chain.gives('0xe1', '0xann');
    const [unread, read] = await Promise.all([ordering('0xd1', '0xann'), ordering('0xe1', '0xann')]);
    expect(await round()).toBe(0);
    chain.gives('0xd1', '0xbob');
    chain.gives('0xe1', '0xbob');
    chain.dark.add('0xd1');
    expect(await round()).toBe(1);
    expect(await Promise.all([unread, read].map(standing))).toEqual([GOES_ON, STOPPED]);
    chain.dark.clear();
    // It was in quarantine alone, and is retried when its backoff is over.
    await pausesOver(database.db);
    expect(await round()).toBe(1);
    expect(await standing(unread)).toBe(STOPPED);
  });

  it('stops agents without a last owner: accounts that own each other', async () => {
    chain.gives('0xf1', '0xann');
    chain.gives('0xf2', '0xf1');
    const ringed = await ordering('0xf2', '0xann');
    expect(await round()).toBe(0);
    chain.gives('0xf1', '0xf2');
    expect(await round()).toBe(1);
    expect(await standing(ringed)).toBe(STOPPED);
  });

  it('has the change recorded once for each agent, however many processes see it, after enough confirmations', async () => {
    chain.gives('0x81', '0xann');
    chain.gives('0x82', '0x81');
    const [top, below] = [await living('recorded-top', '0x81'), await living('recorded-below', '0x82')];
    const [one, other] = [chain.rounds(), chain.rounds()];
    expect(await one()).toBe(0);
    expect(await other()).toBe(0);
    chain.gives('0x81', '0xbob');
    const stopped = await Promise.all([one(), other()]);
    expect(stopped[0]! + stopped[1]!).toBe(2);

    const [asked, ...more] = await askedToRecord(below);
    expect(more).toEqual([]);
    await expect(carriedOut(asked!)).rejects.toThrow('fewer than 2 blocks lie on the change');
    expect(await recordsOf(below)).toEqual([]);
    chain.mines();
    chain.mines();
    // First a process that starts now, and then one that knew nothing of the change.
    expect(await chain.rounds()()).toBe(0);
    for (let time = 0; time < 2; time++) {
      for (const agent of [top, below]) for (const each of await askedToRecord(agent)) await carriedOut(each);
    }
    expect(await recordsOf(below)).toEqual([
      'transferred: The agent recorded-below went from 0xann to 0xbob, with the account 0x82 that owns it.',
    ]);
    expect(await recordsOf(top)).toHaveLength(1);
    expect((await closeBatch(database.db))?.size).toBe(2);
    const [shown] = await activityOf(database.db, below, { limit: 1, offset: 0 });
    expect(shown?.state).toBe('inscribed');
  });

  it('has each sale recorded separately, and none that a reorg removed or that a lagging node invents', async () => {
    chain.gives('0x71', '0xann');
    const sold = await living('recorded-twice', '0x71');
    await round();
    for (const owner of ['0xbob', '0xcarol', '0xann', '0xbob']) {
      chain.gives('0x71', owner);
      expect(await round()).toBe(1);
    }
    // A node that lags by a block reports the previous owner to a process that has seen nothing newer.
    chain.lags('0x71', '0xann');
    expect(await chain.rounds()()).toBe(0);
    chain.gives('0x71', '0xbob');
    chain.mines();
    chain.mines();
    const asked = await askedToRecord(sold);
    expect(asked.map(({ params: { from, to } }) => `${from} ${to}`)).toEqual([
      '0xann 0xbob',
      '0xbob 0xcarol',
      '0xcarol 0xann',
      '0xann 0xbob',
    ]);
    for (const each of asked) await carriedOut(each);
    expect(await recordsOf(sold)).toHaveLength(4);
    chain.gives('0x71', '0xdan');
    expect(await round()).toBe(1);
    chain.takesBack('0x71');
    chain.mines();
    chain.mines();
    expect(await round()).toBe(1);
    chain.mines();
    chain.mines();
    const taken = (await askedToRecord(sold)).slice(4);
    expect(taken.map(({ params: { to } }) => to)).toEqual(['0xdan', '0xbob']);
    for (const each of taken) await carriedOut(each);
    expect(await recordsOf(sold)).toHaveLength(4);
  });

  it('finds an account that was deployed after its agent ordered', async () => {
    const early = await ordering('0x91', '0x91');
    expect(await round()).toBe(0);
    expect(await standing(early)).toBe(GOES_ON);
    chain.gives('0x91', '0xbob');
    // One after the other, a few with each block.
    for (let block = 0; (await standing(early)) === GOES_ON && block < 1_000; block++) {
      await round();
      chain.mines();
    }
    expect(await standing(early)).toBe(STOPPED);
  });

  it('reads nothing again without a new block, and with one no more for all plain wallets', async () => {
    const asksOfBlock = async (): Promise<number> => {
      chain.mines();
      const before = chain.asked();
      await round();
      return chain.asked() - before;
    };
    await round();
    const few = await asksOfBlock();
    for (let n = 0; n < 50; n++) await market.agent(`plain-${n}`);
    await round();
    const all = chain.asked();
    await round();
    expect(chain.asked()).toBe(all);
    expect(await asksOfBlock()).toBe(few);
  });
});

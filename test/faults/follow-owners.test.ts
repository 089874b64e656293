import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainReader, ReaderError } from '../../chain/readers/reader.ts';
import { ownersFollowed } from '../../runtime/acts/follow-owners.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agents.ts';
import { findOrder } from '../../store/orders.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

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

/** A chain of accounts, and of who owns the token that each is bound to; one for all tests, as the database is. */
function accountChain() {
  const above = new Map<string, string>();
  const dark = new Set<string>();
  let block = 1n;
  let asked = 0;
  const reader = {
    chainId: 1002,
    head: async () => ({ number: block }),
    async code(address: Address) {
      asked += 1;
      if (dark.has(address)) throw new ReaderError('down', 'the node does not answer');
      return above.has(address) ? '0x60' : '0x';
    },
    read: async ({ address, functionName }: { address: Address; functionName: string }) =>
      functionName === 'token' ? [1002n, address, 1n] : above.get(address),
  } as unknown as ChainReader;
  const services = {
    db: database.db,
    home: { readers: { viem: reader } },
    bell: { actor() {} },
    now: market.now,
    log: { info() {}, warn() {} },
  } as unknown as Services;
  return {
    /** As of a process that starts now. */
    rounds: () => ownersFollowed(services),
    asked: () => asked,
    dark,
    /** A token goes to this owner, in a block of its own. */
    gives(account: string, owner: string): void {
      above.set(account, owner);
      block += 1n;
    },
    mines(): void {
      block += 1n;
    },
    /** The node says for once what held a block ago: that this one owned the token. */
    lags(account: string, owner: string): void {
      above.set(account, owner);
      block -= 1n;
    },
  };
}

let count = 0;
/** An agent below an account, with an order that rests by the word of whoever is named. */
async function ordering(owner: string, by: string): Promise<{ handle: string; orderId: string }> {
  const handle = await market.agent(`below-${++count}`, owner);
  const { order } = await market.order(handle, lot, { owner: by });
  return { handle, orderId: order.order_id };
}

const standing = async ({ handle, orderId }: { handle: string; orderId: string }) => {
  const [agent, order] = await Promise.all([findAgent(database.db, handle), findOrder(database.db, orderId)]);
  return `${agent?.status} ${agent?.holds.join()} ${order?.status}`;
};
const GOES_ON = 'active  resting';
const STOPPED = 'paused new-owner cancelled';

describe('the rounds that see who stands behind the owners of agents', () => {
  it('stop an agent, however deep below, when the token at the top of its accounts is sold', async () => {
    chain.gives('0xa1', '0xann');
    chain.gives('0xa2', '0xa1');
    chain.gives('0xa3', '0xa2');
    const [deep, beside, direct] = await Promise.all([
      ordering('0xa3', '0xann'),
      ordering('0xa1', '0xann'),
      ordering('0xann', '0xann'),
    ]);
    const without = await market.agent('without-orders', '0xa2');
    expect(await round()).toBe(0);
    chain.mines();
    expect(await round()).toBe(0);
    expect(await standing(deep)).toBe(GOES_ON);

    chain.gives('0xa1', '0xbob');
    expect(await round()).toBe(3);
    expect(await Promise.all([deep, beside, direct].map(standing))).toEqual([STOPPED, STOPPED, GOES_ON]);
    expect((await findAgent(database.db, without))?.holds).toEqual(['new-owner']);
    const told = await database.db
      .selectFrom('mailbox')
      .select('event')
      .where('actor_id', '=', `agent:${deep.handle}`)
      .execute();
    expect(told.map(({ event }) => event)).toEqual([
      expect.objectContaining({ type: 'TRANSFERRED', epoch: 1 }),
    ]);
    expect(await round()).toBe(0);
    // By a node that lags it was the old owner's a moment ago: that is no news.
    chain.lags('0xa1', '0xann');
    expect(await round()).toBe(0);
    chain.gives('0xa1', '0xbob');
    expect(await round()).toBe(0);
  });

  it('stop it also when the sale was made while no process looked', async () => {
    chain.gives('0xb1', '0xann');
    const idle = await market.agent('idle-meanwhile', '0xb1');
    expect(await round()).toBe(0);
    chain.gives('0xb1', '0xbob');
    expect(await chain.rounds()()).toBe(1);
    expect((await findAgent(database.db, idle))?.status).toBe('paused');
  });

  it('stop at the first look what was ordered by another’s word', async () => {
    chain.gives('0xc1', '0xbob');
    const [stale, own] = await Promise.all([ordering('0xc1', '0xann'), ordering('0xc1', '0xbob')]);
    expect(await round()).toBe(1);
    expect(await Promise.all([stale, own].map(standing))).toEqual([STOPPED, GOES_ON]);
  });

  it('take nobody for somebody else whom they cannot read, and read again without a new block', async () => {
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
    expect(await round()).toBe(1);
    expect(await standing(unread)).toBe(STOPPED);
  });

  it('stop what nobody stands behind any more: accounts that own one another', async () => {
    chain.gives('0xf1', '0xann');
    chain.gives('0xf2', '0xf1');
    const ringed = await ordering('0xf2', '0xann');
    expect(await round()).toBe(0);
    chain.gives('0xf1', '0xf2');
    expect(await round()).toBe(1);
    expect(await standing(ringed)).toBe(STOPPED);
  });

  it('find an account that was deployed after its agent ordered', async () => {
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

  it('ask nothing again while no block is mined, and with a block no more for all who own by themselves', async () => {
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

import type { Address } from 'viem';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { ownerWideRoutes } from '../../api/agent/owner-wide.ts';
import type { App } from '../../api/http/app.ts';
import type { RequireOwner } from '../../api/http/auth/owner-signature.ts';
import type { ReadCall } from '../../chain/rpc/reader.ts';
import { applyEvent } from '../../runtime/durable/actors/apply-event.ts';
import { spawnActor } from '../../runtime/durable/actors/spawn.ts';
import { agentActor } from '../../runtime/machines.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { adoptMandate, proposeMandate } from '../../store/agent/mandates.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { server } from './api/server-fixture.ts';

/** More than a list of the interface holds. */
const COUNT = 110;
const OWNER: Address = `0x${'cd'.repeat(20)}`;
const MANDATE: Mandate = {
  side: 'buy',
  currency: 'USDC',
  cap_per_deal: '150',
  expires_at: '2099-12-31T23:59:59Z',
};

let database: TestDatabase;
let stage: MarketStage;
let app: App;
let handles: string[];
/** Runs when the chain is asked for the owner of an agent. */
let onOwnerRead: (tokenId: bigint) => Promise<unknown>;

beforeEach(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  onOwnerRead = async () => {};
  handles = [];
  const input = { mandateEndsInMs: 9_000_000, watches: false };
  for (let n = 0; n < COUNT; n++) {
    const handle = await stage.agent(`mine-${n}`, OWNER);
    const spawned = { key: handle, input: { handle, ...input }, now: stage.now() };
    await stage.inTrx((trx) => spawnActor(trx, agentActor, spawned));
    await stage.inTrx(async (trx) => {
      const text = { handle, text: 'Buy', structured: MANDATE, hash: stage.fresh('0x'), now: stage.now() };
      const version = await proposeMandate(trx, text);
      await adoptMandate(trx, { handle, version, tx: '0xtx', signedAt: stage.now() });
    });
    handles.push(handle);
  }
  const read = async ({ functionName, args = [] }: ReadCall): Promise<unknown> => {
    if (functionName === 'ownerOf') await onOwnerRead(args[0] as bigint);
    const answers: Readonly<Record<string, unknown>> = {
      ...{ ownerOf: OWNER, accountOf: OWNER, epochOf: 1, nonces: 0n, remaining: {}, balanceOf: 0n },
      mandates: { mandateHash: '0x', version: 1, validAfter: 0, expiry: 0 },
    };
    return answers[functionName];
  };
  const viem = {
    chainId: 1002,
    read,
    head: async () => ({ number: 1n, timestamp: 1_788_000_000n }),
    code: async () => '0x',
  };
  const deployment = { agentNft: OWNER, policy: OWNER, usdc: OWNER };
  const services = {
    db: database.db,
    now: stage.now,
    newId: stage.fresh,
    notifier: { actor() {} },
    home: { chainId: 1002, deployment, readers: { viem } },
  } as unknown as Services;
  const requireOwner = (async () => {}) as unknown as RequireOwner;
  app = await server({
    db: database.db,
    routes: [(a) => ownerWideRoutes(a, services, requireOwner)],
  });
});
afterEach(async () => {
  await app.close();
  await database.drop();
});

async function paused() {
  const answer = await app.inject({ method: 'POST', url: '/agents/pause', payload: { wallet: OWNER } });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as { paused: string[]; refused: { handle: string; reason: string }[] };
}

const active = async (): Promise<string[]> =>
  (await database.db.selectFrom('agents').select('handle').where('status', '=', 'active').execute()).map(
    ({ handle }) => handle,
  );

it('every agent of a wallet is paused, however many there are', async () => {
  const answer = await paused();
  expect([answer.paused.toSorted(), answer.refused]).toEqual([handles.toSorted(), []]);
  expect(await active()).toEqual([]);
});

it('one that retires meanwhile is named with its reason, and the others are paused', async () => {
  const retiring = handles[30]!;
  const { token_id } = (await findAgent(database.db, retiring))!;
  onOwnerRead = async (tokenId) => {
    if (tokenId !== token_id) return;
    const event = { type: 'RETIRE' } as const;
    await stage.inTrx((trx) =>
      applyEvent(trx, agentActor, { key: retiring, eventId: stage.fresh('event'), event, now: stage.now() }),
    );
  };
  const answer = await paused();
  expect(answer.paused.toSorted()).toEqual(handles.filter((handle) => handle !== retiring).toSorted());
  expect(answer.refused).toEqual([{ handle: retiring, reason: `"${retiring}" is retired.` }]);
});

it('those for whom no time is left are named, and what to do about them', async () => {
  onOwnerRead = async () => stage.tick(600);
  const answer = await paused();
  expect(answer.paused.length).toBeGreaterThan(0);
  expect(answer.refused.length).toBeGreaterThan(0);
  expect([...answer.paused, ...answer.refused.map(({ handle }) => handle)].toSorted()).toEqual(
    handles.toSorted(),
  );
  expect(new Set(answer.refused.map(({ reason }) => reason))).toEqual(
    new Set(['there was no time left for it: sign once more, and those that are left are paused']),
  );
  expect((await active()).toSorted()).toEqual(answer.refused.map(({ handle }) => handle).toSorted());
});

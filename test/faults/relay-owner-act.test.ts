import { encodeErrorResult, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { RpcRefusal } from '../../chain/rpc/json-rpc.ts';
import { relayOwnerActEffect } from '../../runtime/agent/relay-owner-act.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { findAct, openAct, proposeAct, signAct } from '../../store/agent/owner-acts.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

/** What an owner signed fails here only when the chain cannot accept it any more, by whatever was sent before. */

let database: Awaited<ReturnType<typeof testDatabase>>;
let market: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
});
afterAll(() => database?.drop());

const POLICY: Hex = `0x${'15'.repeat(20)}`;

/** A signed pause, which a node refuses as not its owner's. */
async function signedPause() {
  const handle = await market.agent();
  const { token_id: tokenId } = (await findAgent(database.db, handle))!;
  const id = market.fresh('act');
  const now = market.now();
  await market.inTrx(async (trx) => {
    const slot = { epoch: 1, nonce: 1n, since_block: 1n, deadline: market.later(60_000), version: null };
    const by = { owner: '0xowner', beneficial_owner: '0xowner', detail: {} };
    await proposeAct(trx, { id, handle, kind: 'pause', ...by, ...slot }, now);
    await signAct(trx, { id, signatures: ['0x12'], now });
  });
  return { id, tokenId };
}

function servicesOver(
  tokenId: bigint,
  underWay: (purpose: string, depth?: number) => Promise<boolean>,
): Services {
  const data = encodeErrorResult({ abi: spendPolicyAbi, errorName: 'BadOwnerSignature', args: [tokenId] });
  const call = async () => {
    throw new RpcRefusal(3, 'execution reverted', data);
  };
  const read = async ({ functionName }: { functionName: string }) =>
    functionName === 'ownerOf' ? POLICY : functionName === 'nonces' ? 1n : 1;
  const head = async () => ({ number: 20n, hash: '0x1', timestamp: 1n });
  return {
    db: database.db,
    now: market.now,
    crash() {},
    config: { confirmations: 2, relay: {} },
    home: {
      operator: { call, underWay },
      readers: { viem: { head, read } },
      deployment: { policy: POLICY, agentNft: POLICY },
    },
  } as unknown as Services;
}

describe('what an owner signed and the chain refuses', () => {
  it('waits while an earlier attempt of it may still be mined, or mined again', async () => {
    const { id, tokenId } = await signedPause();
    const asked: unknown[] = [];
    const services = servicesOver(tokenId, async (...of) => {
      asked.push(of);
      return true;
    });
    const run = relayOwnerActEffect(services).run({ params: { actId: id } } as unknown as EffectContext);
    await expect(run).rejects.toMatchObject({
      message: 'what was sent for it may still be mined',
      retry: true,
    });
    expect(asked).toEqual([[`policy:${tokenId}:1`, 2]]);
  });

  it('fails when nothing was sent that can be mined', async () => {
    const { id, tokenId } = await signedPause();
    const services = servicesOver(tokenId, async () => false);
    const outcome = await relayOwnerActEffect(services).run({
      params: { actId: id },
    } as unknown as EffectContext);
    expect(outcome).toMatchObject({ event: { type: 'ACT_FAILED', actId: id } });
  });

  it('ends when it is given up, so that its owner may sign another, and not while it may still be mined', async () => {
    const { id, tokenId } = await signedPause();
    const { handle } = (await findAct(database.db, id))!;
    const givenUp = (underWay: boolean) =>
      relayOwnerActEffect(servicesOver(tokenId, async () => underWay)).givenUp!(
        { params: { actId: id } } as unknown as EffectContext,
        'no attempt came to an end',
      );
    await expect(givenUp(true)).rejects.toThrow('what was sent for it may still be mined');
    expect(await openAct(database.db, handle)).toMatchObject({ id, status: 'signed' });
    await market.inTrx(await givenUp(false));
    expect(await openAct(database.db, handle)).toBeNull();
    expect(await findAct(database.db, id)).toMatchObject({
      status: 'failed',
      reason: 'it was given up: no attempt came to an end',
    });
  });
});

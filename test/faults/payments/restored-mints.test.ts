import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { mandateTerms } from '../../../agents/mandate/terms/terms.ts';
import type { OrderedAgent } from '../../../chain/clients/minted-as-ordered.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import type { ChainLog, ChainReader, LogQuery, ReadCall } from '../../../chain/rpc/reader.ts';
import { bookHeldCheckout } from '../../../runtime/checkout/buy-with-usdc.ts';
import { mintAgentEffect, orderedAgent } from '../../../runtime/checkout/mint-agent.ts';
import type { EffectContext } from '../../../runtime/durable/jobs/effect.ts';
import { type Restored, reconcileRestored } from '../../../runtime/restore/reconcile.ts';
import type { Services } from '../../../runtime/services.ts';
import { findAgent } from '../../../store/agent/agents.ts';
import { agentDetails, createCheckout, findCheckout } from '../../../store/checkout/checkouts.ts';
import { lastSessionKey } from '../../../store/checkout/restored.ts';
import { MADE_UP_CONTRACTS, mintLogs } from '../../fixtures/chain/mint-logs.ts';
import { testDatabase } from '../../fixtures/postgres.ts';

/** Agents that were minted after the moment to which the database went back: the chain alone knows with which keys. */

const AMOUNT = 20_000_000n;
const TX: Hex = `0x${'7'.repeat(64)}`;
const OWNER: Hex = `0x${'0'.repeat(39)}1`;
const deployment = MADE_UP_CONTRACTS;
const mandate = {
  ...{ side: 'buy', currency: 'USDC', cap_per_deal: '50', expires_at: '2027-03-31T23:59:59Z' },
} as unknown as Mandate;
const keys = sessionKeys(`0x${'5e'.repeat(32)}`);
const now = () => new Date();

let database: Awaited<ReturnType<typeof testDatabase>>;
const logs: ChainLog[] = [];
const tokens = new Map<Hex, bigint>();
const accountOf = (tokenId: bigint): Hex => `0x${tokenId.toString(16).padStart(40, '0')}`;
const reader = {
  chainId: 1002,
  head: async () => ({ number: 12n, hash: TX, timestamp: 0n }),
  read: async ({ functionName, args }: ReadCall) =>
    functionName === 'accountOf' ? accountOf(args![0] as bigint) : (tokens.get(args![0] as Hex) ?? 0n),
  logs: async ({ address, topics, fromBlock, toBlock }: LogQuery) =>
    logs.filter(
      (log) =>
        log.address === address &&
        log.blockNumber >= fromBlock &&
        log.blockNumber <= toBlock &&
        topics[0]!.includes(log.topics[0]!) &&
        (topics[1] === undefined || topics[1] === log.topics[1]),
    ),
} as unknown as ChainReader;
const services = () =>
  ({
    ...{ db: database.db, sessionKeys: keys, now, readers: [reader, reader] },
    config: { confirmations: 0, watchSeconds: 60 },
    home: { chainId: 1002, deployment, readers: { viem: reader }, minter: { underWay: async () => false } },
    card: {
      findPayment: async (session: string) => ({
        ...{ checkoutId: session.slice('session-'.length), sessionId: session, paymentStatus: 'paid' },
        ...{ paymentIntent: `pi-${session}`, amountMicro: AMOUNT, currency: 'usd', reversals: [] },
      }),
    },
    log: { warn() {}, error() {} },
  }) as unknown as Services & Restored;

/** A checkout that nobody has paid at the moment. */
async function opened(handle: string, pay: 'card' | 'usdc'): Promise<string> {
  const id = `co_${handle}`;
  await database.db.transaction().execute(async (trx) => {
    await createCheckout(trx, {
      ...{ id, kind: 'agent', owner: OWNER, handle, tier: 'AGENT', depth: '2-of-2', amount: AMOUNT, pay },
      ...{ session: `session-${id}`, expiresAt: now(), now: now() },
      details: { mandateText: '', mandate, mandateHash: mandateTerms(mandate).mandateHash },
    });
  });
  return id;
}

/** Its agent on chain, with the keys of these numbers: that of the mint, and those that the owner granted since. */
async function minted(id: string, tokenId: bigint, numbers: readonly number[]): Promise<void> {
  const checkout = (await findCheckout(database.db, id))!;
  const named = { ...checkout, details: { ...checkout.details, sessionKeyIndex: '0' } };
  const order: OrderedAgent = orderedAgent(named);
  tokens.set(order.paymentRef, tokenId);
  for (const [n, number] of numbers.entries()) {
    const all = mintLogs(
      deployment,
      { tokenId, account: accountOf(tokenId) },
      { ...order, key: keys.at(number).address },
    );
    const at = { blockNumber: 3n + BigInt(n), blockHash: TX, logIndex: 0 };
    const transactionHash: Hex = `0x${(n + 1).toString(16).padStart(64, '0')}`;
    // Every later one is a grant alone, the last but one of these logs.
    logs.push(...(n === 0 ? all : all.slice(-2, -1)).map((log) => ({ ...log, ...at, transactionHash })));
  }
}

/** What the mint of a paid checkout finds, booked. */
async function booked(id: string): Promise<void> {
  const context = { params: { checkoutId: id }, attempt: 2 } as unknown as EffectContext;
  const outcome = await mintAgentEffect(services()).reconcile!(context);
  expect(outcome?.event).toMatchObject({ type: 'MINTED' });
  await database.db.transaction().execute((trx) => outcome!.commit!(trx));
}

const keyNumberOf = async (id: string): Promise<string> =>
  agentDetails((await findCheckout(database.db, id))!).sessionKeyIndex;
const keyOf = async (handle: string) => {
  const { session_key, session_key_index } = (await findAgent(database.db, handle))!;
  return { session_key, session_key_index };
};
const keyAt = (number: number) => ({
  session_key: keys.at(number).address.toLowerCase(),
  session_key_index: BigInt(number),
});

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

it('an agent that was bought by card is found with the key of its mint, whatever keys it was given since', async () => {
  const id = await opened('rotated', 'card');
  await minted(id, 4n, [3, 5, 6]);
  const findings = await reconcileRestored(services(), { fromBlock: 1n, dryRun: false });
  expect(findings).toEqual([{ state: 'done', says: expect.stringContaining('its agent 4 is on chain') }]);
  expect([await keyNumberOf(id), await lastSessionKey(database.db)]).toEqual(['3', 6n]);
  await booked(id);
  expect(await keyOf('rotated')).toEqual(keyAt(3));
  // That it acts by another key is told, as of every agent.
  expect(await reconcileRestored(services(), { fromBlock: 1n, dryRun: false })).toEqual([
    { state: 'by-hand', says: expect.stringContaining('rotated has another session key on chain than here') },
  ]);
});

it('an agent that was bought in USDC is found with the key of its mint, though it was given another number', async () => {
  const id = await opened('held', 'usdc');
  await minted(id, 5n, [40]);
  await database.db.transaction().execute((trx) => bookHeldCheckout(services(), trx, id));
  expect(await keyNumberOf(id)).toBe('7');
  await booked(id);
  expect(await keyOf('held')).toEqual(keyAt(40));
  // No second agent gets it.
  expect([await keyNumberOf(id), await lastSessionKey(database.db)]).toEqual(['40', 40n]);
});

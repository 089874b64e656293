import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asset } from '../../../agents/assets.ts';
import { keccak } from '../../../agents/canonical.ts';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import type { OrderedAgent } from '../../../chain/clients/minted-as-ordered.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { type ChainReader, type LogQuery, type ReadCall, ReaderError } from '../../../chain/rpc/reader.ts';
import { mintAgentEffect, orderedAgent, orderedKey } from '../../../runtime/checkout/mint-agent.ts';
import { settleEffect } from '../../../runtime/deal/settle.ts';
import type { EffectContext, EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import type { Services } from '../../../runtime/services.ts';
import { findCheckout } from '../../../store/checkout/checkouts.ts';
import { MADE_UP_CONTRACTS, mintLogs } from '../../fixtures/chain/mint-logs.ts';
import { type MarketStage, marketStage } from '../../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

const TX: Hex = `0x${'7'.repeat(64)}`;
const deployment = { chainId: 1002, ...MADE_UP_CONTRACTS };
const mandate = {
  ...{ side: 'buy', currency: 'USDC', cap_per_deal: '50', cap_per_day: '100' },
  ...{ categories_allow: ['digital-products'], expires_at: '2027-03-31T23:59:59Z' },
} as unknown as Mandate;

let database: TestDatabase;
let checkoutId: string;
let dealId: string;
/** The contract's event that says the deal was settled. */
let settlement: { topics: Hex[]; data: Hex };
/** What the checkout ordered. */
let order: OrderedAgent & { readonly key: Hex };
const keys = sessionKeys(`0x${'5e'.repeat(32)}`);

beforeAll(async () => {
  database = await testDatabase();
  const stage = marketStage(database.db);
  await matchedDeal(stage);
  const handle = await stage.agent();
  checkoutId = `co_${handle}`;
  const details = JSON.stringify({ mandateText: '', mandate, mandateHash: '0x', sessionKeyIndex: '3' });
  const set = { details, owner: `0x${'0'.repeat(39)}1` };
  await database.db.updateTable('checkouts').set(set).where('id', '=', checkoutId).execute();
  const checkout = (await findCheckout(database.db, checkoutId))!;
  order = { ...orderedAgent(checkout), key: orderedKey({ sessionKeys: keys }, checkout) };
});

afterAll(() => database?.drop());

async function matchedDeal(stage: MarketStage): Promise<void> {
  const accounts = { seller: `0x${'b'.repeat(40)}`, buyer: `0x${'c'.repeat(40)}` } as const;
  const [seller, buyer] = [await stage.agent(), await stage.agent()];
  for (const [handle, account] of [
    [seller, accounts.seller],
    [buyer, accounts.buyer],
  ] as const)
    await database.db.updateTable('agents').set({ account }).where('handle', '=', handle).execute();
  const asset = stage.asset() as Asset & { kind: 'token' };
  const lot = await stage.list(seller, { asset, ask: 100_000_000n, negotiable: false });
  const { match } = await stage.order(buyer, lot, { limit: 100_000_000n });
  dealId = match!.dealId;
  settlement = {
    topics: encodeEventTopics({
      abi: settlementAbi,
      eventName: 'DealSettled',
      args: { dealId: keccak(dealId), ...accounts },
    }) as Hex[],
    data: encodeAbiParameters(
      ['address', 'uint256', 'address', 'uint256', 'uint256'].map((type) => ({ type })),
      [asset.contract, BigInt(asset.tokenId), deployment.usdc, 100_000_000n, 2_000_000n],
    ),
  };
}

/** What the service logs as an error. */
const logged: string[] = [];

/** A node that refuses the first call without a reason, and a chain on which the effect has happened before or not. */
function stage(
  doneBefore: boolean,
  underWay: boolean | ((depth: number | undefined) => boolean) = false,
  {
    errorName,
    refused = false,
    minted = order,
  }: { readonly errorName?: string; refused?: boolean; readonly minted?: typeof order } = {},
): Services {
  const refusing = async (): Promise<never> => {
    refused = true;
    throw new ChainError('reverted', 'execution reverted', errorName === undefined ? {} : { errorName });
  };
  const answers: Record<string, unknown> = {
    settledAt: doneBefore ? 9 : 0,
    agentByPayment: doneBefore ? 4n : 0n,
    accountOf: `0x${'c'.repeat(40)}`,
    hasRole: [true, 0],
    policyOf: deployment.policy,
    settlementOf: { settlement: deployment.settlement, count: 0 },
  };
  const reader = {
    head: async () => (refused ? { number: 12n, hash: TX, timestamp: 0n } : await refusing()),
    read: async ({ functionName }: ReadCall) => answers[functionName],
    chainId: 1002,
    blockHash: async () => TX,
    logs: async ({ address }: LogQuery) =>
      [
        { ...settlement, address: deployment.settlement },
        ...mintLogs(deployment, { tokenId: 4n, account: `0x${'c'.repeat(40)}` }, minted),
      ]
        .filter((log) => log.address === address)
        .map((log) => ({ ...log, transactionHash: TX, blockNumber: 9n, blockHash: TX })),
  } as unknown as ChainReader;
  const operator = {
    call: refusing,
    underWay: async (_: string, depth?: number) =>
      typeof underWay === 'boolean' ? underWay : underWay(depth),
  };
  return {
    db: database.db,
    home: {
      chainId: 1002,
      minter: operator,
      settlement: operator,
      deployment: deployment as unknown as Deployment,
      readers: { viem: reader },
    },
    config: { baseUrl: 'https://handshake.test', confirmations: 3 },
    sessionKeys: keys,
    log: { error: (_: object, line: string) => logged.push(line) },
    now: () => new Date(),
  } as unknown as Services;
}

interface Kind {
  readonly effect: (services: Services) => EffectRunner;
  readonly event: object;
  readonly done: string;
  /** How it ends where the chain refuses it for good. */
  readonly givenUp: object;
}

const kinds: Record<string, Kind> = {
  mint: {
    effect: mintAgentEffect,
    event: { type: 'MINTED' },
    done: 'PaymentAlreadyUsed',
    givenUp: { name: 'EffectError', retry: false },
  },
  settlement: {
    effect: settleEffect,
    event: { type: 'SETTLED', tx: TX },
    done: 'DealAlreadySettled',
    givenUp: { event: { type: 'EFFECT_FAILED', reason: expect.stringContaining('execution reverted') } },
  },
};

describe.each(Object.entries(kinds))(
  'a %s that the node refuses without a reason',
  (_, { effect, event, givenUp }) => {
    const run = (services: Services) =>
      effect(services).run({
        params: { checkoutId, dealId, determinedAt: Date.now() },
        attempt: 1,
      } as unknown as EffectContext);

    it('counts as done when it is on the chain', async () => {
      expect((await run(stage(true))).event).toMatchObject(event);
    });

    it('is retried while it may still be mined', async () => {
      await expect(run(stage(false, true))).rejects.toMatchObject({ name: 'EffectError', retry: true });
    });

    it('is given up when it is not on the chain and nothing is pending', async () => {
      expect(await run(stage(false)).catch((error: unknown) => error)).toMatchObject(givenUp);
    });
  },
);

describe.each(Object.entries(kinds))('a %s that was sent before', (_, { effect, event, done }) => {
  const context = (attempt: number) =>
    ({ params: { checkoutId, dealId, determinedAt: Date.now() }, attempt }) as unknown as EffectContext;
  const reconcile = (...[doneBefore, underWay]: Parameters<typeof stage>) =>
    effect(stage(doneBefore, underWay, { refused: true })).reconcile!(context(2));

  it('is found as soon as it is on the chain', async () => {
    expect((await reconcile(true, true))?.event).toMatchObject(event);
  });

  it('is neither sent again nor given up while it is not found and may still be mined', async () => {
    await expect(reconcile(false, true)).rejects.toThrow('may still be mined');
    expect(await reconcile(false)).toBeNull();
  });

  it('may still be mined, for a node that is behind, until enough blocks lie on it', async () => {
    await expect(reconcile(false, (depth) => depth === 3)).rejects.toThrow('may still be mined');
  });

  it('is looked for again where the contract says that it has happened and the node does not show it', async () => {
    await expect(effect(stage(false, false, { errorName: done })).run(context(1))).rejects.toMatchObject({
      name: 'EffectError',
      retry: true,
    });
  });
});

describe.each<[string, () => typeof order]>([
  ['another payment has taken', () => ({ ...order, paymentRef: keccak('another payment') })],
  ['somebody with a minter’s key took to own it', () => ({ ...order, to: `0x${'0'.repeat(39)}9` })],
  ['somebody with a minter’s key took to act for it', () => ({ ...order, key: `0x${'0'.repeat(39)}9` })],
])('a mint whose number %s', (_, minted) => {
  const run = (underWay: boolean) => {
    const services = stage(true, underWay, { errorName: 'PaymentAlreadyUsed', minted: minted() });
    return mintAgentEffect(services).run({ params: { checkoutId }, attempt: 1 } as unknown as EffectContext);
  };

  it('is given up, so that its money is returned', async () => {
    await expect(run(false)).rejects.toMatchObject({ name: 'EffectError', retry: false });
    expect(logged.at(-1)).toMatch(/minted otherwise than it was ordered/);
  });

  it('is retried while one that was sent may still be mined', async () => {
    await expect(run(true)).rejects.toMatchObject({ name: 'EffectError', retry: true });
  });
});

describe('a settlement by determinations that are too old', () => {
  const run = (services: Services, determinedAt: number | null) =>
    settleEffect(services).run({ params: { dealId, determinedAt }, attempt: 1 } as unknown as EffectContext);
  const agreeing = (doneBefore: boolean): Services => {
    const services = stage(doneBefore);
    const { viem } = services.home.readers;
    const ownerOf = async (tokenId: bigint) => {
      const agent = database.db.selectFrom('agents').select('owner').where('token_id', '=', tokenId);
      return (await agent.executeTakeFirstOrThrow()).owner;
    };
    const answering = {
      ...viem,
      head: async () => ({ number: 12n, hash: TX, timestamp: 0n }),
      code: async () => '0x',
      read: async (call: ReadCall) =>
        call.functionName === 'ownerOf' ? await ownerOf(call.args?.[0] as bigint) : await viem.read(call),
    };
    return { ...services, home: { ...services.home, readers: { viem: answering } } } as unknown as Services;
  };

  it.each([
    ['hours old', Date.now() - 5 * 3_600_000],
    ['of no known time', null],
  ])('is not sent when they are %s: they are made anew', async (_, determinedAt) => {
    expect(await run(agreeing(false), determinedAt)).toEqual({ event: { type: 'OUTDATED' } });
  });

  it('counts as done when an earlier attempt has made it', async () => {
    expect((await run(agreeing(true), null)).event).toMatchObject({ type: 'SETTLED', tx: TX });
  });

  it('waits while the chain does not answer, so that an outage undoes no deal', async () => {
    const services = agreeing(false);
    services.home.readers.viem.head = async () => {
      throw new ReaderError('down', 'the node does not answer');
    };
    await expect(run(services, null)).rejects.toThrow('the node does not answer');
  });
});

import { encodeAbiParameters, encodeEventTopics, type Hex, pad, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asset } from '../../../agents/assets.ts';
import { keccak } from '../../../agents/canonical.ts';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { agentNftAbi } from '../../../chain/abi/agent-nft.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import type { ChainReader, ReadCall } from '../../../chain/rpc/reader.ts';
import { mintAgentEffect } from '../../../runtime/checkout/mint-agent.ts';
import { settleEffect } from '../../../runtime/deal/settle.ts';
import type { EffectContext, EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import type { Services } from '../../../runtime/services.ts';
import { type MarketStage, marketStage } from '../../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

const TX: Hex = `0x${'7'.repeat(64)}`;
const deployment = {
  chainId: 1002,
  agentNft: `0x${'a'.repeat(40)}`,
  settlement: `0x${'5'.repeat(40)}`,
  usdc: `0x${'d'.repeat(40)}`,
  deployedAtBlock: 1,
} as const;
const mandate = {
  ...{ side: 'buy', currency: 'USDC', cap_per_deal: '50', cap_per_day: '100' },
  ...{ categories_allow: ['digital-products'], expires_at: '2027-03-31T23:59:59Z' },
} as unknown as Mandate;

let database: TestDatabase;
let checkoutId: string;
let dealId: string;
/** The contract's event that says the deal was settled. */
let settlement: { topics: Hex[]; data: Hex };

beforeAll(async () => {
  database = await testDatabase();
  const stage = marketStage(database.db);
  await matchedDeal(stage);
  const handle = await stage.agent();
  checkoutId = `co_${handle}`;
  const details = JSON.stringify({ mandateText: '', mandate, mandateHash: '0x', sessionKeyIndex: '3' });
  await database.db.updateTable('checkouts').set({ details }).where('id', '=', checkoutId).execute();
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

/** A node that refuses the first call without a reason, and a chain on which the effect has happened before or not. */
function stage(
  doneBefore: boolean,
  underWay: boolean | ((depth: number | undefined) => boolean) = false,
  { errorName, refused = false }: { readonly errorName?: string; refused?: boolean } = {},
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
  };
  const reader = {
    head: async () => (refused ? { number: 12n, hash: TX, timestamp: 0n } : await refusing()),
    read: async ({ functionName }: ReadCall) => answers[functionName],
    chainId: 1002,
    blockHash: async () => TX,
    logs: async () => [
      {
        ...settlement,
        address: deployment.settlement,
        transactionHash: TX,
        blockNumber: 9n,
        blockHash: TX,
      },
    ],
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
    now: () => new Date(),
  } as unknown as Services;
}

const kinds: Record<string, { effect: (services: Services) => EffectRunner; event: object; done: string }> = {
  mint: { effect: mintAgentEffect, event: { type: 'MINTED' }, done: 'PaymentAlreadyUsed' },
  settlement: { effect: settleEffect, event: { type: 'SETTLED', tx: TX }, done: 'DealAlreadySettled' },
};

describe.each(Object.entries(kinds))(
  'a %s that the node refuses without a reason',
  (_, { effect, event }) => {
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
      await expect(run(stage(false))).rejects.toMatchObject({ name: 'EffectError', retry: false });
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

describe('a mint whose number another payment has taken', () => {
  const run = (underWay: boolean) => {
    const services = stage(true, underWay, { errorName: 'PaymentAlreadyUsed' });
    const [event] = encodeEventTopics({ abi: agentNftAbi, eventName: 'AgentMinted' }) as [Hex];
    const party = pad(`0x${'c'.repeat(40)}`);
    const log = {
      address: deployment.agentNft,
      topics: [event, pad(toHex(4), { size: 32 }), party, party],
      data: encodeAbiParameters([{ type: 'uint8' }, { type: 'bytes32' }], [1, keccak('another payment')]),
      ...{ transactionHash: TX, blockNumber: 9n, blockHash: TX },
    };
    const readers = { viem: { ...services.home.readers.viem, logs: async () => [log] } };
    const there = { ...services, home: { ...services.home, readers } } as unknown as Services;
    return mintAgentEffect(there).run({ params: { checkoutId }, attempt: 1 } as unknown as EffectContext);
  };

  it('is given up, so that its money is returned', async () => {
    await expect(run(false)).rejects.toMatchObject({ name: 'EffectError', retry: false });
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
    await expect(run(stage(false), null)).rejects.toThrow();
  });
});

import { zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SETTLE_GAS } from '../../chain/clients/settlement.ts';
import { ReaderError } from '../../chain/rpc/reader.ts';
import { burntBy, whyBurnt } from '../../runtime/market/public.ts';
import { takeEachGas } from '../../store/payments/relay-budgets.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const [SELLER, OTHER, BUYER] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
];
const AGENTS = `0x${'a9'.repeat(20)}` as const;
const CERTIFICATES = `0x${'ce'.repeat(20)}` as const;
const deployment = { agentNft: AGENTS, certificates: CERTIFICATES, assets: zeroAddress };
const PRICE = 10_000_000n;
const REFUSED = {
  hash: '0x1',
  block: 100n,
  payment: { buyer: zeroAddress, price: PRICE },
} as unknown as Parameters<typeof burntBy>[2];
const buyerOf = (owner: string, tokenId: bigint) => ({ owner, tokenId });
const thingOf = (
  contract: `0x${string}`,
  { seller = SELLER, buyer = buyerOf(BUYER, 7n), assetKey = 'token:1002:x' } = {},
) => {
  const asset = { kind: 'token', chainId: 1002, contract, tokenId: '1' } as const;
  return { asset, assetKey, seller, buyer };
};

/** Counts a settlement that was refused in a block, as it is kept for each deal. */
async function countBurnt(...[services, ...refused]: Parameters<typeof burntBy>): Promise<void> {
  const charges = await burntBy(services, ...refused);
  await services.db.transaction().execute((trx) => takeEachGas(trx, charges, services.now()));
}

function chainBurning() {
  const state = { at: new Date('2026-11-30T12:00:00Z'), gasUsed: SETTLE_GAS, pays: (_: bigint) => true };
  const read = async ({ block, functionName }: { block: bigint; functionName: string }) => {
    if (functionName === 'balanceOf') return PRICE;
    if (!state.pays(block)) throw new ReaderError('reverted', 'it has no money');
  };
  const settlement = { receipt: async () => ({ gasUsed: state.gasUsed }) };
  const services = {
    ...{ db: database.db, now: () => state.at },
    home: { deployment, settlement, readers: { viem: { read, logs: async () => [] } } },
  } as unknown as Parameters<typeof burntBy>[0];
  return { state, services };
}

it('settlements that burn all their gas in a block are tried five times a day for a seller, and for a contract', async () => {
  const { state, services } = chainBurning();
  const thing = thingOf(`0x${'01'.repeat(20)}`);
  // What an honest refusal takes counts against nobody: it may be the buyer's doing.
  state.gasUsed = 285_000n;
  for (let i = 0; i < 20; i++) await countBurnt(services, thing, REFUSED);
  state.gasUsed = SETTLE_GAS;
  for (let i = 0; i < 5; i++) {
    expect(await whyBurnt(services, thing)).toBeNull();
    await countBurnt(services, thing, REFUSED);
  }
  expect(await whyBurnt(services, thing)).toMatch(
    /were refused in a block today: none is tried for \d+ seconds/,
  );
  // Neither a thing of another contract by the same seller, nor another seller of the same contract.
  expect(await whyBurnt(services, thingOf(`0x${'02'.repeat(20)}`))).toContain(`seller ${SELLER}`);
  expect(await whyBurnt(services, thingOf(thing.asset.contract, { seller: OTHER }))).toContain(
    'contract 0x0101',
  );
  expect(await whyBurnt(services, thingOf(`0x${'02'.repeat(20)}`, { seller: OTHER }))).toBeNull();
  state.at = new Date(state.at.getTime() + 86_400_000);
  expect(await whyBurnt(services, thing)).toBeNull();
});

it('what is burnt counts from just above the dearest honest settlement', async () => {
  const { state, services } = chainBurning();
  state.gasUsed = 340_000n;
  const thing = thingOf(`0x${'03'.repeat(20)}`, { seller: `0x${'dd'.repeat(20)}` });
  for (let i = 0; i < 10; i++) await countBurnt(services, thing, REFUSED);
  expect(await whyBurnt(services, thing)).not.toBeNull();
});

it('a buyer whose code burns the settlements of agents stops nobody else from selling or buying one', async () => {
  const { services } = chainBurning();
  const agent = thingOf(AGENTS, { seller: `0x${'e1'.repeat(20)}` });
  for (let i = 0; i < 5; i++) await countBurnt(services, agent, REFUSED);
  expect(await whyBurnt(services, agent)).toContain('agent 7');
  expect(await whyBurnt(services, { ...agent, buyer: buyerOf(BUYER, 9n) })).toContain(`buyer ${BUYER}`);
  const byOther = buyerOf(OTHER, 8n);
  expect(await whyBurnt(services, { ...agent, buyer: byOther })).toBeNull();
  expect(await whyBurnt(services, thingOf(AGENTS, { seller: OTHER, buyer: byOther }))).toBeNull();
  expect(await whyBurnt(services, thingOf(CERTIFICATES, { buyer: byOther }))).toBeNull();
  // The agent goes on to another wallet of the same.
  expect(await whyBurnt(services, { ...agent, buyer: buyerOf(OTHER, 7n) })).toContain('agent 7');
  // What a stranger sells counts by its seller and its contract, and of names, whose bids would leave, nothing does.
  const strangers = thingOf(`0x${'04'.repeat(20)}`, { seller: OTHER, buyer: byOther });
  expect(await whyBurnt(services, strangers)).toBeNull();
  const name = thingOf(CERTIFICATES, { assetKey: 'serial:name:alice.x' });
  expect(await whyBurnt(services, name)).toBeNull();
});

it.each([
  ['before the block', 99n],
  ['after the block', 100n],
])(
  'a buyer whose account would not have paid %s stops nobody else, and is held by a budget of the buyer’s own',
  async (_, short) => {
    const { state, services } = chainBurning();
    state.pays = (block) => block !== short;
    const [contract, seller] = [`0x${'05'.repeat(20)}` as const, `0x${'e5'.repeat(20)}`];
    const emptied = {
      seller,
      buyer: buyerOf(`0x${'b5'.repeat(18)}${short.toString(16).padStart(4, '0')}`, 1000n + short),
    };
    for (let i = 0; i < 5; i++) {
      expect(await whyBurnt(services, thingOf(contract, emptied))).toBeNull();
      await countBurnt(services, thingOf(contract, emptied), REFUSED);
    }
    expect(await whyBurnt(services, thingOf(contract, emptied))).toContain(`agent ${1000n + short}`);
    expect(
      await whyBurnt(services, thingOf(`0x${'06'.repeat(20)}`, { ...emptied, seller: OTHER })),
    ).not.toBeNull();
    expect(await whyBurnt(services, thingOf(contract, { seller, buyer: buyerOf(OTHER, 8n) }))).toBeNull();
  },
);

it('whether one may be tried is asked in one statement', async () => {
  const { services } = chainBurning();
  const statements: string[] = [];
  const db = services.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await whyBurnt({ ...services, db }, thingOf(AGENTS));
  expect(statements).toEqual(['SelectQueryNode']);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { SETTLE_GAS } from '../../chain/clients/settlement.ts';
import { countBurnt, whyBurnt } from '../../runtime/market/public.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const [SELLER, OTHER] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const;
const thingOf = (contract: `0x${string}`, owner: string = SELLER) => ({
  owner,
  asset: { kind: 'token', chainId: 1002, contract, tokenId: '1' } as const,
});

it('settlements that burn all their gas in a block are tried five times a day for a seller, and for a contract', async () => {
  let at = new Date('2026-11-30T12:00:00Z');
  let gasUsed = SETTLE_GAS;
  const services = {
    ...{ db: database.db, now: () => at },
    home: { settlement: { receipt: async () => ({ gasUsed }) } },
  } as unknown as Parameters<typeof countBurnt>[0];
  const thing = thingOf(`0x${'01'.repeat(20)}`);
  // What an honest refusal takes counts against nobody: it may be the buyer's doing.
  gasUsed = 240_000n;
  for (let i = 0; i < 20; i++) await countBurnt(services, thing, '0x1');
  gasUsed = SETTLE_GAS;
  for (let i = 0; i < 5; i++) {
    expect(await whyBurnt(services, thing)).toBeNull();
    await countBurnt(services, thing, '0x1');
  }
  expect(await whyBurnt(services, thing)).toMatch(
    /were refused in a block today: none is tried for \d+ seconds/,
  );
  // Neither a thing of another contract by the same seller, nor another seller of the same contract.
  expect(await whyBurnt(services, thingOf(`0x${'02'.repeat(20)}`))).toContain(`seller ${SELLER}`);
  expect(await whyBurnt(services, thingOf(thing.asset.contract, OTHER))).toContain('contract 0x0101');
  expect(await whyBurnt(services, thingOf(`0x${'02'.repeat(20)}`, OTHER))).toBeNull();
  at = new Date(at.getTime() + 86_400_000);
  expect(await whyBurnt(services, thing)).toBeNull();
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { listAgents } from '../../store/agent/agents.ts';
import { adoptMandate, proposeMandate } from '../../store/agent/mandates.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;
beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

/** Signs and adopts a mandate of these categories for an agent. */
async function mandate(handle: string, categories: Partial<Mandate>): Promise<void> {
  const structured: Mandate = {
    side: 'buy',
    currency: 'USDC',
    cap_per_deal: '150',
    expires_at: '2099-12-31T23:59:59Z',
    ...categories,
  };
  await database.db.transaction().execute(async (trx) => {
    const version = await proposeMandate(trx, {
      ...{ handle, text: 'Buy', structured, hash: stage.fresh('0x'), now: stage.now() },
    });
    await adoptMandate(trx, { handle, version, tx: '0xtx', signedAt: stage.now() });
  });
}

const listed = async (category: string, page = {}): Promise<string[]> =>
  (await listAgents(database.db, { category, limit: 10, offset: 0, ...page })).map(({ handle }) => handle);

it('shows of a category the agents that may trade in it, the newest first, by the mandate in force', async () => {
  const agents = ['named', 'any', 'denying', 'elsewhere', 'both'];
  for (const [n, handle] of agents.entries()) {
    await stage.agent(handle);
    const since = new Date(Date.UTC(2026, 0, 1 + n));
    await database.db.updateTable('agents').set({ since }).where('handle', '=', handle).execute();
  }
  await mandate('named', { categories_allow: ['digital-products'] });
  await mandate('any', {});
  await mandate('denying', { categories_deny: ['digital-products'] });
  await mandate('elsewhere', { categories_allow: ['real-world-assets'] });
  await mandate('both', { categories_allow: ['real-world-assets', 'digital-products'] });
  expect(await listed('digital-products')).toEqual(['both', 'any', 'named']);
  expect(await listed('real-world-assets')).toEqual(['both', 'elsewhere', 'denying', 'any']);
  expect(await listed('digital-products', { after: 'both', limit: 1 })).toEqual(['any']);
  expect(await listed('digital-products', { after: 'any' })).toEqual(['named']);
  expect(await listed('digital-products', { status: 'paused' })).toEqual([]);

  await mandate('any', { categories_allow: ['music-and-video-rights'] });
  await mandate('elsewhere', { categories_allow: ['digital-products'] });
  expect(await listed('digital-products')).toEqual(['both', 'elsewhere', 'named']);
  expect(await listed('real-world-assets')).toEqual(['both', 'denying']);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAgent } from '../../store/agent/agents.ts';
import { changeSessionKey } from '../../store/agent/mandates.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let market: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
});
afterAll(() => database?.drop());

describe('the key by which an agent signs', () => {
  const keyOf = async (handle: string) => (await findAgent(database.db, handle))?.session_key;

  it('is changed by each act in turn, and not back by a process that comes to an earlier one late', async () => {
    const handle = await market.agent();
    const first = { handle, from: '0xkey', key: '0xkey-2', index: 102n };
    const second = { handle, from: '0xkey-2', key: '0xkey-3', index: 103n };
    for (const change of [first, second, first]) await market.inTrx((trx) => changeSessionKey(trx, change));
    expect(await keyOf(handle)).toBe('0xkey-3');
  });
});

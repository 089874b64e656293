import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopCauses, type UndoneDeal } from '../../agents/deal/stop-causes.ts';
import { keepSettings } from '../../store/agent/settings.ts';
import { unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage, unlessStopped } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { plainHolder } from '../fixtures/wallets/plain-holder.ts';

/** A lot is kept from others by a buyer whose owner is asked: an order costs nothing, and may be placed again. */

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;
beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));
const MINUTE = 60_000;

/** How each of these orders of one buyer fared, one after another, when what matched was undone in this way. */
async function orders(
  undone: Partial<UndoneDeal>,
  limits: readonly number[],
  before: (owner: string, i: number) => Promise<unknown> = async () => {},
): Promise<boolean[]> {
  const causes = stopCauses({
    ...{ outcomes: { buyer: 'ask', seller: 'pass' }, findings: [], stoppedBy: [] },
    ...undone,
  });
  const [seller, buyer] = [await stage.agent(), await stage.agent()];
  const lot = await stage.list(seller, { ask: usd(120), floor: usd(80) });
  const matched: boolean[] = [];
  for (const [i, limit] of limits.entries()) {
    const owner = `0xowner-of-${buyer}`;
    await before(owner, i);
    stage.tick();
    const { match } = await stage.order(buyer, lot, { limit: usd(limit), owner });
    matched.push(match !== null);
    if (match === null) break;
    await stage.inTrx((trx) =>
      unwindDeal(trx, {
        ...{
          dealId: match.dealId,
          reason: 'stopped',
          orderId: stage.fresh('again'),
          ids: stage.ids(),
          causes,
        },
        ...{ allows: unlessStopped(trx), now: stage.tick() },
      }),
    );
  }
  return matched;
}

describe.each([
  ['price-intelligence', 'INCONCLUSIVE'],
  ['mandate-compliance', 'FLAGGED'],
] as const)('an owner who was asked about %s %s and did not answer', (determination, verdict) => {
  const undone: Partial<UndoneDeal> = {
    findings: [{ side: 'buyer', determination, verdict, effect: 'ask' }],
  };

  it('does not keep the lot again at another price', async () => {
    expect(await orders(undone, [84, 95])).toEqual([true, false]);
  });

  it('does not keep it again with another setting', async () => {
    const choose = (owner: string, i: number) =>
      keepSettings(
        database.db,
        plainHolder(owner),
        { onFlagged: i % 2 === 0 ? 'stop' : 'ask', onInconclusive: 'ask' },
        stage.tick(),
      );
    expect(await orders(undone, [100, 100], choose)).toEqual([true, false]);
  });
});

describe('an owner who was asked about a price and refused', () => {
  it('does not keep the lot again at another price when that took long', async () => {
    const late: Partial<UndoneDeal> = { stoppedBy: ['buyer'], keptMs: 59 * MINUTE };
    expect(await orders(late, [84, 95])).toEqual([true, false]);
  });

  it('may bid another price at once when it did not', async () => {
    const soon: Partial<UndoneDeal> = { stoppedBy: ['buyer'], keptMs: 20_000 };
    expect(await orders(soon, [84, 95, 108])).toEqual([true, true, true]);
  });
});

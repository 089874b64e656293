import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Check } from '../../../agents/determinations/panel/types.ts';
import { importRegister } from '../../../store/registers/registers.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { EXCHANGE, HonestMarket } from './honest.ts';
import { addressOf } from './ledger.ts';
import { type Trader, usd } from './marketplace.ts';

/** Honest trade beside what strangers do: nobody is accused, and no deal stopped, for what anybody can do to him. */

/** The limit is long, because the machine may be busy. */
const LIMIT_MS = 600_000;
const BID = 0.6;
const HOUR = 3_600_000;
const MILLION = 1_000_000n;

let database: Awaited<ReturnType<typeof testDatabase>>;
let market: HonestMarket;

beforeAll(async () => {
  database = await testDatabase();
  const plan = { name: 'base', kind: 'shops', sellers: 6, agents: 26, deals: 40 } as const;
  market = new HonestMarket(database.db, plan, 's');
  await market.open();
  while (market.tally.deals < plan.deals) await market.trade();
}, LIMIT_MS);
afterAll(() => database?.drop());

/** A trader whose agent's account somebody paid, in dollars. */
async function trader(name: string, from: string, dollars: number): Promise<Trader> {
  const one = await market.place.trader(name, addressOf(`owner of ${name}`), '2-of-2', 0n);
  market.place.ledger.pay(from, one.agent.account, BigInt(dollars) * MILLION);
  return one;
}

/** One lot that these bid on in vain and a buyer gets. @returns whether it settled, and what was found of its bids and money */
async function sold(seller: Trader, buyer: Trader, losing: readonly Trader[] = [], price = market.value()) {
  const { place } = market;
  await place.wait(HOUR);
  const lot = await place.list(seller, usd(price * 1.08), usd(price * 0.96));
  for (const [i, one] of losing.entries()) {
    await place.wait(7_000);
    await place.bid(one, lot, usd(price * (BID + 0.01 * i)));
  }
  await place.wait(7_000);
  const match = await place.bid(buyer, lot, usd(price * 1.02));
  await place.followMoney();
  const { settled, sides } = await place.close(lot, match!, buyer);
  const { verdict, checks } = sides.buyer.find(({ id }) => id === 'shill-collusion')!;
  const against = checks.filter(({ outcome }: Check) => outcome !== 'PASS').map(({ id }) => id);
  return { told: [settled, verdict, against] as const, lot };
}

it(
  'settles what an established seller sells, though a rival sends fresh agents to bid once on each lot',
  async () => {
    for (const n of [1, 2, 3]) {
      const fresh: Trader[] = [];
      for (let k = 0; k < 4; k++) fresh.push(await trader(`rival-${n}-${k}`, EXCHANGE, 100));
      const { told, lot } = await sold(market.sellers[0]!, market.buyers[3 + n]!, fresh);
      expect(told).toEqual([true, 'CLEAN', []]);
      // Who asks about the bidders is told of them, and nobody is accused.
      expect((await market.place.ask(lot)).verdict).not.toBe('FLAGGED');
    }
  },
  LIMIT_MS,
);

it(
  'settles what a new seller sells to whoever comes for one thing and loses',
  async () => {
    const house = await trader('a new house', EXCHANGE, 500);
    for (let n = 0; n < 4; n++) {
      const comers: Trader[] = [];
      for (let k = 0; k < 3; k++) comers.push(await trader(`comer-${n}-${k}`, EXCHANGE, 500));
      expect((await sold(house, market.buyers[n * 3]!, comers)).told).toEqual([true, 'CLEAN', []]);
    }
  },
  LIMIT_MS,
);

it(
  'settles between two customers of an exchange that a list knows, though it has few others here',
  async () => {
    const exchange = addressOf('a listed exchange');
    market.place.ledger.pay(EXCHANGE, exchange, 900_000n * MILLION);
    const [one, other] = [await trader('listed-a', exchange, 500), await trader('listed-b', exchange, 300)];
    expect((await sold(one, other)).told).toEqual([
      false,
      'FLAGGED',
      expect.arrayContaining(['money-between-sides']),
    ]);
    await importRegister(database.db, {
      ...{ register: 'labels', source: 'exchanges', asOf: market.place.now, minimum: 1, mode: 'replace' },
      rows: (async function* () {
        yield { key: exchange, detail: { kind: 'exchange' } };
      })(),
    });
    expect((await sold(one, other)).told).toEqual([true, 'CLEAN', []]);
  },
  LIMIT_MS,
);

it(
  'leaves open, and does not accuse, whom a stranger paid much beside what they had',
  async () => {
    const stranger = addressOf('a stranger who pays both');
    market.place.ledger.pay(EXCHANGE, stranger, 9_000n * MILLION);
    const [one, other] = [await trader('small-a', EXCHANGE, 150), await trader('small-b', EXCHANGE, 150)];
    for (const { agent } of [one, other]) market.place.ledger.pay(stranger, agent.account, 80n * MILLION);
    const { told } = await sold(one, other, [], 80);
    expect(told.slice(0, 2)).toEqual([true, 'INCONCLUSIVE']);
    expect(told[2]).toContain('money-between-sides');
  },
  LIMIT_MS,
);

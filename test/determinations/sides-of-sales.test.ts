import { afterAll, beforeAll, expect, it } from 'vitest';
import { sidesOfMatches } from '../../runtime/determinations/evidence/price/sides-of-sales.ts';
import type { Database } from '../../store/database.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let stage: MarketStage;
beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

async function matched(): Promise<{ id: string; sides: object }> {
  const [seller, buyer] = [await stage.agent(), await stage.agent()];
  const { match } = await stage.order(buyer, await stage.list(seller), { limit: 100_000_000n });
  if (match === null) throw new Error('they did not match');
  const sides = {
    chainId: 1002,
    seller: `0xowner-of-${seller}`,
    buyer: `0xowner-of-${buyer}`,
    sellerAccount: `0xaccount-of-${seller}`,
    buyerAccount: `0xaccount-of-${buyer}`,
  };
  return { id: match.matchId, sides };
}

/** The same database, with the matches that it was asked about. */
function watched(): { db: Database; asked: string[][] } {
  const asked: string[][] = [];
  const db = new Proxy(database.db, {
    get(target, name, self) {
      if (name === 'isTransaction') return false;
      const member = Reflect.get(target, name, self);
      if (name !== 'executeQuery') return typeof member === 'function' ? member.bind(target) : member;
      return (query: { parameters: readonly string[][] }) => {
        asked.push([...query.parameters[0]!]);
        return target.executeQuery(query as never);
      };
    },
  });
  return { db, asked };
}

it('reads the two sides of each match once, and of one that is not there again', async () => {
  const { db, asked } = watched();
  const [one, other] = [await matched(), await matched()];
  const told = ({ id, sides }: typeof one) => ({ id, ...sides });
  expect(await sidesOfMatches(db, [one.id, 'mat_none'])).toEqual([told(one)]);
  expect(await sidesOfMatches(db, ['mat_none', other.id, one.id])).toEqual([told(other), told(one)]);
  expect(await sidesOfMatches(db, [one.id, other.id])).toEqual([told(one), told(other)]);
  expect(asked).toEqual([
    [one.id, 'mat_none'],
    ['mat_none', other.id],
  ]);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alikePartiesOf, dealingsOf, fewestInEarnest } from '../../store/chain-sync/dusted.ts';
import { entriesAbout, ownTransfers, sumFlows } from '../../store/chain-sync/flows.ts';
import { sumOwnPayments, sumPayments } from '../../store/chain-sync/payments.ts';
import { addTransfers } from '../../store/chain-sync/transfers.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { salesVersions } from '../../store/market/comparables.ts';
import { plannedForAny } from '../../store/planning-client.ts';
import { lookUpCodes } from '../../store/registers/code-readings.ts';
import { proofsOfAbsence } from '../../store/registers/register-trees.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const ADDRESSES = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`);
const [ONE, OTHER] = ADDRESSES as [string, string];
const CHAIN = 1002;
const DUST = { native: 1n, token: 1n };
const ASKED = { chainId: CHAIN, until: 9n, most: 1_000 };

/** What a deal's determinations ask again and again, with lists of one and of several. */
const QUESTIONS: Readonly<Record<string, (db: Database, addresses: readonly string[]) => Promise<unknown>>> =
  {
    'sum-up-flows': (db, of) => sumFlows(db, CHAIN, of, 9n, 1_000),
    'read-own-transfers': (db, [of]) => ownTransfers(db, CHAIN, of!, { until: 9n, most: 1_000, dust: DUST }),
    'sum-up-own-payments': (db, of) => sumOwnPayments(db, { ...ASKED, addresses: of, deals: 1_000 }),
    'sum-up-payments': (db, of) => sumPayments(db, { ...ASKED, addresses: of, without: [OTHER] }),
    'find-alike-parties': (db, of) => alikePartiesOf(db, { ...ASKED, who: OTHER, of, dust: DUST }),
    'count-in-earnest': (db, of) => fewestInEarnest(db, { ...ASKED, of }),
    'find-dealings-of-alike': (db, alike) =>
      dealingsOf(db, { ...ASKED, alike, of: [OTHER], newest: 1_000, dust: DUST }),
    'look-up-parties': (db, of) => entriesAbout(db, of),
    'look-up-neighbours': (db, of) => proofsOfAbsence(db, ['sanctions', 'known-scam'], of),
    'look-up-codes': (db, of) =>
      lookUpCodes(
        db,
        of.map((address) => ({ chainId: CHAIN, address, hash: null, skeleton: address })),
      ),
    'sales-versions': (db) => salesVersions(db, ['digital', 'real-world']),
  };

describe('statements that are planned for any values', () => {
  let server: Awaited<ReturnType<typeof testDatabase>>;
  let db: Database;

  beforeAll(async () => {
    server = await testDatabase();
    db = openDatabase(server.url, { max: 1 });
    const at = new Date();
    const transfers = Array.from({ length: 400 }, (_, n) => ({
      ...{ block: 1n + BigInt(n % 8), place: n, tx: `0x${n}`, token: null, at, amount: 10n ** 18n },
      ...{ sender: ADDRESSES[n % 3]!, receiver: ADDRESSES[(n + 1) % 3]! },
    }));
    for (const chainId of [CHAIN, 84_532]) {
      await addTransfers(db, chainId, { fromBlock: 1n, toBlock: 9n }, [{ block: 9n, hash: '0x9' }], {
        transfers,
        created: [],
      });
    }
    await sql`analyze`.execute(db);
  });
  afterAll(async () => {
    await db?.destroy();
    await server?.drop();
  });

  for (const [name, ask] of Object.entries(QUESTIONS)) {
    it(`${name} is planned a few times, however often it is asked`, async () => {
      for (let n = 0; n < 12; n++) await ask(db, n % 2 === 0 ? [ONE] : ADDRESSES);
      const { rows } = await sql<{ custom: bigint; generic: bigint }>`
        select custom_plans as custom, generic_plans as generic from pg_prepared_statements
        where name = ${name}`.execute(db);
      expect(rows).toEqual([{ custom: 5n, generic: 7n }]);
    });
  }

  it('find the same as before their values were hidden', async () => {
    const flows = await sumFlows(db, CHAIN, [ONE], 9n, 1_000);
    expect(flows.map(({ way, party }) => [way, party]).sort()).toEqual([
      ['in', ADDRESSES[2]],
      ['out', OTHER],
    ]);
    expect(flows.every(({ transfers, amount }) => BigInt(amount) === BigInt(transfers) * 10n ** 18n)).toBe(
      true,
    );
  });

  it('know the type of each of their parameters', () => {
    const text = 'select $1 where $2 = any($1::text[])';
    expect(plannedForAny({ name: 'a', text }, ['text[]', 'text']).text).toBe(
      'select (select $1::text[])::text[] where (select $2::text)::text = any((select $1::text[])::text[])',
    );
    expect(() => plannedForAny({ name: 'a', text }, ['text[]'])).toThrow(/"a" has a parameter/);
  });
});

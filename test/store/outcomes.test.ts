import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BY_OPERATOR, type OutcomeCount, type Verdicts } from '../../agents/records/outcome.ts';
import { countOutcomes, fileOutcome } from '../../store/records/outcomes.ts';
import { insertRecord } from '../../store/records/records.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { strangersRecord } from '../fixtures/strangers-record.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** Counted from every outcome that was filed. */
async function countedAgain(): Promise<OutcomeCount[]> {
  const { rows } = await sql<OutcomeCount>`
    with told as (
      select o.record_id, v.key as determination, v.value as verdict,
        case when o.signer = ${BY_OPERATOR} then 'operator' else 'parties' end as by,
        bool_or(o.outcome = 'honest') as honest, bool_or(o.outcome = 'fraudulent') as fraudulent
      from record_outcomes o cross join lateral jsonb_each_text(o.verdicts) v
      group by 1, 2, 3, 4)
    select determination, verdict, by, (count(*) filter (where honest and not fraudulent))::integer as honest,
      (count(*) filter (where fraudulent and not honest))::integer as fraudulent,
      (count(*) filter (where honest and fraudulent))::integer as contested
    from told group by 1, 2, 3 order by 1, 2, 3`.execute(database.db);
  return rows;
}

it('outcomes are counted as they are filed, also where several speak of one record at once', async () => {
  const records = Array.from({ length: 6 }, strangersRecord);
  for (const record of records) await database.db.transaction().execute((trx) => insertRecord(trx, record));
  const said = records.flatMap(({ record }, r) =>
    ['0xa', '0xb', '0xc', '0xd', BY_OPERATOR].map((signer, s) => ({
      recordId: record.recordId,
      signer,
      r,
      s,
    })),
  );
  await Promise.all(
    said.map(({ recordId, signer, r, s }) =>
      database.db.transaction().execute((trx) =>
        fileOutcome(
          trx,
          {
            ...{ recordId, signer, evidence: [], filedAt: new Date() },
            ...((r * 7 + s * (r % 3)) % 4 === 0
              ? { outcome: 'fraudulent', kind: 'non-delivery' as never }
              : { outcome: 'honest', kind: null }),
          },
          {
            wallet: r % 2 === 0 ? 'CLEAN' : 'FLAGGED',
            ...(s % 2 === 0 ? { provenance: 'CLEAN' } : {}),
          } as Verdicts,
        ),
      ),
    ),
  );
  const counted = await countOutcomes(database.db);
  expect(counted).toEqual(await countedAgain());
  const sum = (of: 'honest' | 'fraudulent' | 'contested') => counted.reduce((n, row) => n + row[of], 0);
  expect([sum('honest'), sum('fraudulent'), sum('contested')].every((n) => n > 0)).toBe(true);
});

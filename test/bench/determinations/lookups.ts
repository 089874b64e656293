import { sql } from 'kysely';
import { gatherRegister } from '../../../runtime/determinations/evidence/registers/lists.ts';
import type { Database } from '../../../store/database.ts';
import { withDatabase } from '../database.ts';
import type { BenchRow } from '../row.ts';
import { time } from '../timing.ts';

const SMALL = 1_000;
const LARGE = 1_000_000;
const GOAL = 1.5;
const EFFORT = { rounds: 9, single: 100, many: 400, callers: 8 };

/** A look-up of one address, as determinations make it, in a register of a thousand and in one of a million. */
export async function benchLookups(): Promise<BenchRow[]> {
  return await withDatabase(EFFORT.callers, async (db) => {
    await fill(db, 'sanctions', SMALL);
    await fill(db, 'known-scam', LARGE);
    await sql`vacuum analyze register_entries`.execute(db);
    // Every second one is on the list.
    const ask = (register: 'sanctions' | 'known-scam', rows: number) => async (n: number) => {
      const key = address(n % 2 === 0 ? 1 + ((n * 7_919) % rows) : rows + 1 + n);
      const { hits } = await gatherRegister(db, register, [key]);
      if (hits.length !== (n % 2 === 0 ? 1 : 0)) throw new Error(`${key} was not looked up right`);
    };
    const [small, large] = await time([ask('sanctions', SMALL), ask('known-scam', LARGE)], EFFORT);
    const ratio = large!.p50Ms / small!.p50Ms;
    return [
      { name: `a look-up among ${SMALL}`, ...small },
      { name: `a look-up among ${LARGE}`, ...large, ratio, goal: `at most ${GOAL}`, ok: ratio <= GOAL },
    ];
  });
}

function address(n: number): string {
  return `0x${n.toString(16).padStart(40, '0')}`;
}

/** By hand, as the import writes it: a million rows over HTTP would take longer than the bench. */
async function fill(db: Database, register: 'sanctions' | 'known-scam', rows: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const asOf = new Date();
    const { id } = await trx
      .insertInto('register_imports')
      .values({ register, source: 'bench', rows, as_of: asOf })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`insert into register_entries (register, key, source, import_id)
      select ${register}, '0x' || lpad(to_hex(n), 40, '0'), 'bench', ${id}
      from generate_series(1, ${sql.lit(rows)}) n`.execute(trx);
    await trx
      .insertInto('register_lists')
      .values({ register, source: 'bench', as_of: asOf, rows: BigInt(rows), import_id: id })
      .execute();
  });
}

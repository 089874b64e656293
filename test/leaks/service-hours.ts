import { sql } from 'kysely';
import { until } from '../../runtime/cli/demo/client.ts';
import type { Database } from '../../store/database.ts';
import { publishCloseCalls } from '../../store/market/close-calls.ts';
import { PATIENCE } from './service-stillness.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Long ago, so that the service's own periodic tasks find nothing there; the same for both sides. */
const BEGAN = Math.floor(Date.now() / DAY_MS) * DAY_MS - 60 * DAY_MS;
const EACH = 16 * HOUR_MS;
/** Longer than any history, but not long enough to reach the previous one. */
const LOOK_BACK_HOURS = 12;
const OVER = BEGAN + 55 * DAY_MS;

/** Whether a time belongs to the test's own clock, which is the same on both sides to the millisecond. */
export const isPlayed = (at: number): boolean => at >= BEGAN && at < OVER;

/** A clock of the test's own for the orders of a service, so that orders of both sides rest for equally long. */
export interface Hours {
  now(): Date;
  /** Moves the clock to the beginning of a history. */
  begin(history: number): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Lets these orders expire now, all at once; resolves when the service has removed them. */
  runOut(orderIds: readonly string[]): Promise<void>;
  /** Does what the service does at the turn of each hour. */
  endHour(): Promise<void>;
}

/** @param newId makes the id of a close call */
export async function playedHours(db: Database, newId: () => string): Promise<Hours> {
  await sql
    .raw(`create table played_now (at timestamptz not null);
      insert into played_now values ('epoch');
      create function played_time() returns trigger language plpgsql as $$ begin
        if tg_op = 'INSERT' then new.created_at := (select at from played_now); end if;
        if new.rested_at is not null and (tg_op = 'INSERT' or new.rested_at is distinct from old.rested_at) then
          new.rested_at := (select at from played_now);
        end if;
        if new.left_at is not null and (tg_op = 'INSERT' or old.left_at is null) then
          new.left_at := (select at from played_now);
        end if;
        return new; end $$;
      create trigger played_time before insert or update on orders for each row execute function played_time()`)
    .execute(db);
  let now = BEGAN;
  const set = async (at: number): Promise<void> => {
    if (!isPlayed(at))
      throw new Error('no more histories fit between long ago and what the service looks back on');
    now = at;
    await sql`update played_now set at = ${new Date(at)}`.execute(db);
  };
  return {
    now: () => new Date(now),
    begin: (history) => set(BEGAN + history * EACH),
    pass: (ms) => set(now + ms),
    async runOut(orderIds) {
      if (orderIds.length === 0) return;
      const resting = (): ReturnType<typeof count> => count(db, orderIds);
      await db
        .updateTable('orders')
        .set({ expires_at: sql<Date>`clock_timestamp()` })
        .where('order_id', 'in', orderIds)
        .where('status', '=', 'resting')
        .execute();
      await until('orders to run out', async () => ((await resting()) === 0 ? true : null), PATIENCE);
    },
    async endHour() {
      await publishCloseCalls(db, { now: new Date(now), newId, lookBackHours: LOOK_BACK_HOURS });
    },
  };
}

async function count(db: Database, orderIds: readonly string[]): Promise<number> {
  const { n } = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<bigint>().as('n'))
    .where('order_id', 'in', orderIds)
    .where('status', '=', 'resting')
    .executeTakeFirstOrThrow();
  return Number(n);
}

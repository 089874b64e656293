import { sql } from 'kysely';
import type { Database } from '../database.ts';

export interface RateLimit {
  readonly perSecond: number;
  /** How many may run at once after a pause. */
  readonly burst: number;
}

/**
 * Takes one token of a rate limit that all processes share, by the database's clock. The bucket is stored as one time:
 * when the next token would be due at an even rate (the generic cell rate algorithm, ITU-T I.371).
 * @returns 0 when the token was taken; otherwise after how many milliseconds to ask again
 */
export async function acquireToken(
  db: Database,
  name: string,
  { perSecond, burst }: RateLimit,
): Promise<number> {
  const step = sql`(${1000 / perSecond}::float8 * interval '1 millisecond')`;
  const ahead = sql`(${((burst - 1) * 1000) / perSecond}::float8 * interval '1 millisecond')`;
  const { rows } = await sql`
    insert into rate_limits as p (name, due_at) values (${name}, clock_timestamp() + ${step})
    on conflict (name) do update set due_at = greatest(p.due_at, clock_timestamp()) + ${step}
      where p.due_at <= clock_timestamp() + ${ahead}
    returning name`.execute(db);
  if (rows.length > 0) return 0;
  const { rows: left } = await sql<{ ms: number }>`
    select extract(epoch from due_at - ${ahead} - clock_timestamp())::float8 * 1000 as ms
    from rate_limits where name = ${name}`.execute(db);
  return Math.max(1, Math.ceil(left[0]?.ms ?? 1));
}

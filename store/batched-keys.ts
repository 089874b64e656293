import { type Database, run, type Statement } from './database.ts';
import { behindOnce } from './read-once.ts';

const batches = new WeakMap<Database, (readonly string[])[]>();

/**
 * Says of which keys a database that is read once will be asked the same, as of the accounts of both sides of a deal: each
 * question about one of them is then put about all, in one statement. Any other database is asked about each by itself.
 */
export function batchKeys(db: Database, keys: readonly string[]): void {
  if (behindOnce(db) === null) return;
  const batch = [...new Set(keys)].sort();
  const known = batches.get(db) ?? [];
  if (!known.some((other) => other.join() === batch.join())) batches.set(db, [...known, batch]);
}

/** The keys with which this one is asked about, itself among them. */
export function keysWith(db: Database, key: string): readonly string[] {
  return batches.get(db)?.find((batch) => batch.includes(key)) ?? [key];
}

/** A statement about the one key `$1`, put about several: each row says of which it is, as `asked`. */
export function aboutEach({ name, text }: Statement): Statement {
  // `offset 0` makes Postgres answer each key by itself, by the indexes of the statement, and in its order.
  const one = text.replaceAll(/\$1(?!\d)/g, 'asked.key');
  return {
    name,
    text: `select asked.key as asked, found.* from unnest($1::text[]) as asked (key) cross join lateral (${one} offset 0) found`,
  };
}

/** What a statement made by {@link aboutEach} tells of this key, asked together with its batch. */
export async function runBatched<Row>(
  db: Database,
  statement: Statement,
  key: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const rows = await run<Row & { asked: string }>(db, statement, [keysWith(db, key), ...values]);
  return rows.filter(({ asked }) => asked === key);
}

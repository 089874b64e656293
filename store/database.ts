import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type Trx = Transaction<Tables>;

const INT8 = 20;

const pools = new WeakMap<Database, pg.Pool>();

/** One pool, int8 read as bigint on this pool only (BullMQ shares the process and wants its own readings). */
export function openDatabase(connectionString: string, options: { max?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 16,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format as 'text'),
    } as pg.CustomTypesConfig,
  });
  // An idle connection that the server ends must not end the process: the next query reports it.
  pool.on('error', () => {});
  // Nor may one that it ends between two statements of a transaction: the next statement reports it.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
}

/** A connection of its own beside the pool, for what must stay on one: LISTEN. @throws Error when it cannot connect */
export async function dedicatedClient(db: Database): Promise<pg.Client> {
  const pool = pools.get(db);
  if (!pool) throw new Error('this database was not opened here');
  const client = new pg.Client(pool.options);
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** What the database's clock says. */
export async function databaseTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}

/** A statement that the server parses and plans once a connection. Its name is its text's own, never shared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs a statement: planned once where it stands alone, as it is where it is part of a transaction. */
export async function run<Row>(
  db: Database | Trx,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = db.isTransaction ? undefined : pools.get(db);
  if (!pool) return (await db.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]))).rows;
  const { rows } = await pool.query({ name: statement.name, text: statement.text, values: [...values] });
  return rows as Row[];
}

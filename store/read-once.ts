import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { ask, type Database, inOneWrite } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * The same database for reading, where each question is asked once, however often it comes: for what is to be read at
 * one moment, until it is told to forget. Whoever reads must not change what it gets, because others get it as well. What is asked in one turn of the
 * event loop goes out in one write.
 * @throws Error from every transaction and stream
 */
export function readOnce(db: Database): Database & { forget(): void } {
  const driver = new OnceDriver(db);
  const once = new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (of) => new PostgresIntrospector(of),
    },
  });
  readBehind.set(once, db);
  return Object.assign(once, { forget: () => driver.forget() });
}

const readBehind = new WeakMap<Database, Database>();

/** The database that one which is read once reads; null for any other. */
export function behindOnce(db: Database): Database | null {
  return readBehind.get(db) ?? null;
}

class OnceDriver implements Driver, DatabaseConnection {
  readonly #db: Database;
  readonly #asked = new Map<string, Promise<QueryResult<unknown>>>();

  constructor(db: Database) {
    this.#db = inOneWrite(db);
  }

  /** Asks everything anew from here on. */
  forget(): void {
    this.#asked.clear();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const key = JSON.stringify([query.sql, query.parameters], (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const asked = this.#asked.get(key) ?? ask(this.#db, query);
    this.#asked.set(key, asked);
    const found = (await asked) as QueryResult<Row>;
    return { ...found, rows: [...found.rows] };
  }

  // biome-ignore lint/correctness/useYield: it only refuses
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('a database that is read once has no streams');
  }

  async beginTransaction(): Promise<void> {
    throw new Error('a database that is read once has no transactions');
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this;
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

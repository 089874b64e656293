import { CompiledQuery, Kysely, PostgresDialect, type QueryResult, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { nameStatement, PlanningClient, type Statement } from './planning-client.ts';
import type { Tables } from './tables.ts';

export type { Statement } from './planning-client.ts';

export type Database = Kysely<Tables>;
export type Trx = Transaction<Tables>;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const readAnyTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown;

/** Times come in UTC nearly always. These are read as ISO 8601, which is several times faster than any spelling. */
function readTime(text: string): unknown {
  if (text[10] !== ' ' || text.length > 29 || !text.endsWith('+00')) return readAnyTime(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

const PARSERS: Readonly<Record<number, unknown>> = { [INT8]: BigInt, [TIMESTAMPTZ]: readTime };

const MOST = 16;
const pools = new WeakMap<Database, pg.Pool>();
/** Of databases that keep connections for what is asked in one write. */
const poolsOfOneWrite = new WeakMap<Database, pg.Pool>();

/**
 * How long a connection lies unused before it is closed: each has planned what it was asked before, and a new one plans,
 * and compiles the functions of triggers, all anew.
 */
const UNUSED_MS = 600_000;

/**
 * A process that hangs in a transaction keeps the rows that it locked from all others: the server ends its session after so
 * long. Asked for on the connection and not at its start, because poolers refuse settings that they do not know.
 */
const HUNG_MS = 60_000;
/**
 * How long a statement waits for what another session has locked: who waits keeps a connection, and of those that wait for
 * one that hangs there would soon be as many as a process has. It fails for the moment then, as when the database is away.
 */
const LOCKED_MS = 10_000;

interface DatabaseOptions {
  readonly max?: number;
  /** Of the process, which all its connections carry; leases are held under it. */
  readonly name?: string;
  /**
   * How many of the connections are kept for what is asked in one write, which asks the most: few of them have soon planned
   * all of it, where many would each plan it for themselves. Left out: it shares those of everything else.
   */
  readonly forOneWrite?: number;
}

/** One pool, int8 read as bigint on this pool only (BullMQ shares the process and wants its own readings). */
export function openDatabase(connectionString: string, options: DatabaseOptions = {}): Database {
  const { forOneWrite = 0, max = MOST } = options;
  const pool = new pg.Pool(poolOptions(connectionString, { ...options, max: max - forOneWrite }));
  const db = databaseOver(pool);
  if (forOneWrite > 0) {
    const own = new pg.Pool(poolOptions(connectionString, { ...options, max: forOneWrite }));
    prepareConnections(own);
    poolsOfOneWrite.set(db, own);
    endWith(db, own);
  }
  return db;
}

/** How a pool of ours connects and reads. */
export function poolOptions(connectionString: string, options: DatabaseOptions): pg.PoolConfig {
  return {
    Client: PlanningClient as typeof pg.Client,
    // What is asked of one connection at once goes to the server at once, and is done there in that order.
    pipeline: true,
    connectionString,
    max: options.max ?? MOST,
    idleTimeoutMillis: UNUSED_MS,
    ...(options.name === undefined ? {} : { application_name: options.name }),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
    } as pg.CustomTypesConfig,
  };
}

/** The database that is asked by a pool. */
export function databaseOver(pool: pg.Pool): Database {
  prepareConnections(pool);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  endWith(db, pool);
  return db;
}

/** Kysely ends a pool that it has used itself, and leaves others open: their connections would keep a process alive. */
function endWith(db: Database, pool: pg.Pool): void {
  const destroy = db.destroy.bind(db);
  db.destroy = async () => {
    await destroy();
    if (!pool.ending) await pool.end();
  };
}

function prepareConnections(pool: pg.Pool): void {
  // An idle connection that the server ends must not end the process: the next query reports it.
  pool.on('error', () => {});
  // Nor may one that it ends between two statements of a transaction: the next statement reports it.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const limits = `set idle_in_transaction_session_timeout = ${HUNG_MS}; set lock_timeout = ${LOCKED_MS}`;
    client.query(limits).catch(() => {});
  });
}

/** The pool by which a database is asked. @throws Error for one that was not opened here */
export function poolOf(db: Database): pg.Pool {
  const pool = pools.get(db);
  if (!pool) throw new Error('this database was not opened here');
  return pool;
}

/** A connection of its own beside the pool, for what must stay on one: LISTEN. @throws Error when it cannot connect */
export async function dedicatedClient(db: Database): Promise<pg.Client> {
  const client = new pg.Client({ ...poolOf(db).options, pipeline: false });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** How long the rest of this transaction waits for each lock. @param ms null: as long as it takes */
export async function waitForLocks(trx: Trx, ms: number | null): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(ms ?? 0)}`.execute(trx);
}

/** What the database's clock says. */
export async function databaseTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}

/** What waits for the end of this turn of the event loop, to go to the server in one write. */
type Waiting = {
  readonly ask: (client: pg.PoolClient) => Promise<unknown>;
  readonly fail: (e: Error) => void;
};
const gathered = new WeakMap<Database, Waiting[]>();

/**
 * The same database for one piece of work. What it asks by {@link run} or {@link ask} in one turn of the event loop
 * goes over one connection, in one write, and is done there in that order: a write wakes the server, and costs more
 * than most look-ups.
 */
export function inOneWrite(db: Database): Database {
  const pool = db.isTransaction || gathered.has(db) ? undefined : pools.get(db);
  if (!pool) return db;
  const view = db.withoutPlugins();
  pools.set(view, poolsOfOneWrite.get(db) ?? pool);
  gathered.set(view, []);
  return view;
}

/** Asks what Kysely compiled, together with what else this piece of work asks at once. */
export async function ask<Row>(db: Database, query: CompiledQuery): Promise<QueryResult<Row>> {
  const waiting = gathered.get(db);
  const pool = pools.get(db);
  if (!waiting || !pool) return await db.executeQuery<Row>(query as CompiledQuery<Row>);
  const { rows, rowCount } = await askTogether(pool, waiting, {
    text: query.sql,
    values: [...query.parameters],
  });
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
}

async function askAlone(pool: pg.Pool, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    return await client.query(query);
  } finally {
    client.release();
  }
}

function askTogether(pool: pg.Pool, waiting: Waiting[], query: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    waiting.push({ ask: (client) => client.query(query).then(resolve, reject), fail: reject });
    if (waiting.length === 1) setImmediate(() => void send(pool, waiting.splice(0)));
  });
}

async function send(pool: pg.Pool, asked: readonly Waiting[]): Promise<void> {
  try {
    const client = await pool.connect();
    const stream = client instanceof PlanningClient ? client.connection.stream : null;
    stream?.cork();
    const answers = asked.map(({ ask }) => ask(client));
    stream?.uncork();
    await Promise.all(answers);
    client.release();
  } catch (error) {
    for (const { fail } of asked) fail(error as Error);
  }
}

/** Runs a statement, planned once a connection. */
export async function run<Row>(
  db: Database | Trx,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = db.isTransaction ? undefined : pools.get(db);
  if (!pool) nameStatement(statement);
  if (!pool) return (await db.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]))).rows;
  const query = { name: statement.name, text: statement.text, values: [...values] };
  const waiting = gathered.get(db as Database);
  const { rows } = await (waiting === undefined ? askAlone(pool, query) : askTogether(pool, waiting, query));
  return rows as Row[];
}

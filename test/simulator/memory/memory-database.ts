import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  type RootOperationNode,
} from 'kysely';
import type { Tables } from '../../../store/tables.ts';
import { runText } from './raw.ts';
import {
  Blocked,
  type Change,
  DatabaseError,
  finish,
  Table,
  type TableShape,
  Transaction,
  wouldDeadlock,
} from './rows.ts';
import { SHAPES } from './shapes.ts';
import { type Result, runNode } from './statements.ts';

/** The connection between a process and the server: where other processes get their turn, and what may fail. */
export interface Wire {
  /** Called before every statement, commit and rollback. For a process that died it never returns. */
  reach(what: string): Promise<void>;
  /**
   * Whether the connection breaks here: before the statement ran, or after it, so that nobody gets the confirmation.
   */
  breaks(what: string): 'before' | 'after' | null;
}

const QUIET: Wire = { reach: async () => {}, breaks: () => null };

/** The server: its tables, its clock, and every open transaction. */
export class MemoryServer {
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #now: () => Date;
  /** Called with the changes of every commit. */
  observe: ((changes: readonly Change[]) => void) | null = null;

  constructor(now: () => Date, shapes: readonly TableShape[] = SHAPES) {
    this.#now = now;
    this.#tables = new Map(shapes.map((shape) => [shape.name, new Table(shape)]));
  }

  table(name: string): Table {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`the memory store has no table ${name}`);
    return table;
  }

  /** @throws Blocked, DatabaseError, UnknownQuery; the statement then has no effect */
  run(trx: Transaction, query: CompiledQuery): Result {
    const place = { trx, now: this.#now(), table: (name: string) => this.table(name) };
    if (query.query.kind !== 'RawNode') return runNode(place, query.query as OperationNode);
    const { text, params } = asText(query.query as RawNode);
    return runText(place, text, query.sql === '' ? params : query.parameters);
  }

  finish(trx: Transaction, outcome: 'commit' | 'rollback'): void {
    if (trx.over) return;
    const changes = finish(trx, outcome);
    if (changes.length > 0) this.observe?.(changes);
  }

  /** Opens a connection for one process. `transactions` are its open ones; after its death the caller must end them. */
  open(wire: Wire = QUIET): { db: Kysely<Tables>; transactions: ReadonlySet<Transaction> } {
    const open = new Set<Transaction>();
    const driver = new MemoryDriver(this, wire, open);
    const db = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (of) => new PostgresIntrospector(of),
        // The tree of the query is interpreted directly; it is not compiled to text.
        createQueryCompiler: () => ({
          compileQuery: (query: RootOperationNode, queryId) => ({ query, queryId, sql: '', parameters: [] }),
        }),
      },
    });
    return { db, transactions: open };
  }
}

interface RawNode extends OperationNode {
  readonly sqlFragments: readonly string[];
  readonly parameters: readonly OperationNode[];
}

function asText(node: RawNode): { text: string; params: unknown[] } {
  const params: unknown[] = [];
  const text = node.sqlFragments.reduce((before, fragment, i) => {
    const value = node.parameters[i - 1] as (RawNode & { value?: unknown }) | undefined;
    if (value?.kind === 'RawNode') {
      const inner = asText(value);
      params.push(...inner.params);
      return `${before}${inner.text}${fragment}`;
    }
    params.push(value?.value);
    return `${before}?${fragment}`;
  });
  return { text, params };
}

/** The error that `pg` gives when the server has closed a connection. */
function lost(): DatabaseError {
  return new DatabaseError('ECONNRESET', 'read ECONNRESET');
}

class MemoryConnection implements DatabaseConnection {
  readonly #server: MemoryServer;
  readonly #wire: Wire;
  trx: Transaction | null = null;
  broken = false;

  constructor(server: MemoryServer, wire: Wire) {
    this.#server = server;
    this.#wire = wire;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const what = nameOf(query);
    await this.#wire.reach(what);
    if (this.broken) throw lost();
    const broken = this.#wire.breaks(what);
    if (broken === 'before') throw this.#break();
    const trx = this.trx ?? new Transaction();
    try {
      const { rows, changed } = await this.#patiently(trx, query, what);
      if (this.trx === null) this.#server.finish(trx, 'commit');
      if (broken === 'after') throw this.#break();
      const count = BigInt(changed);
      return { rows: rows as R[], numAffectedRows: count };
    } catch (error) {
      if (this.trx === null) this.#server.finish(trx, 'rollback');
      throw error;
    }
  }

  /** Runs a statement, and repeats it as a whole after the transactions for which it had to wait have ended. */
  async #patiently(trx: Transaction, query: CompiledQuery, what: string): Promise<Result> {
    for (;;) {
      try {
        return this.#server.run(trx, query);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        if (wouldDeadlock(trx, error.by)) throw new DatabaseError('40P01', 'deadlock detected');
        trx.waitsFor = error.by;
        await new Promise<void>((wake) => error.by.waiters.push(wake));
        trx.waitsFor = null;
        await this.#wire.reach(what);
        if (this.broken || trx.over) throw lost();
      }
    }
  }

  async commit(): Promise<void> {
    await this.#wire.reach('commit');
    const broken = this.broken ? 'before' : this.#wire.breaks('commit');
    this.#server.finish(this.trx!, broken === 'before' ? 'rollback' : 'commit');
    if (broken !== null) throw this.#break();
  }

  async rollback(): Promise<void> {
    await this.#wire.reach('rollback');
    if (this.trx) this.#server.finish(this.trx, 'rollback');
  }

  #break(): DatabaseError {
    this.broken = true;
    // The server notices, and rolls back the open transaction.
    if (this.trx) this.#server.finish(this.trx, 'rollback');
    return lost();
  }

  // biome-ignore lint/correctness/useYield: nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('nothing here streams');
  }
}

class MemoryDriver implements Driver {
  readonly #server: MemoryServer;
  readonly #wire: Wire;
  readonly #open: Set<Transaction>;

  constructor(server: MemoryServer, wire: Wire, open: Set<Transaction>) {
    this.#server = server;
    this.#wire = wire;
    this.#open = open;
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}
  async releaseConnection(): Promise<void> {}

  async acquireConnection(): Promise<MemoryConnection> {
    return new MemoryConnection(this.#server, this.#wire);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const trx = new Transaction();
    (connection as MemoryConnection).trx = trx;
    this.#open.add(trx);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await (connection as MemoryConnection).commit();
    } finally {
      this.#end(connection);
    }
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as MemoryConnection).rollback();
    this.#end(connection);
  }

  #end(connection: DatabaseConnection): void {
    const { trx } = connection as MemoryConnection;
    if (trx) this.#open.delete(trx);
    (connection as MemoryConnection).trx = null;
  }
}

/** A short name of a statement for the trace. */
function nameOf(query: CompiledQuery): string {
  // biome-ignore lint/suspicious/noExplicitAny: the nodes of a query are told apart by their kind
  const node = query.query as any;
  if (node.kind === 'RawNode') return node.sqlFragments[0].trim().slice(0, 24).replace(/\s+/g, ' ');
  const table = node.into ?? node.table ?? node.from?.froms[0];
  const named = table.kind === 'AliasNode' ? table.node : table;
  return `${node.kind.slice(0, 6)} ${named.table.identifier.name}`;
}

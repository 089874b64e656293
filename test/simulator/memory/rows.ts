/**
 * Tables in memory that behave like Postgres' READ COMMITTED where the store relies on it: a transaction sees committed
 * rows and its own writes; it waits for a row that another transaction holds and reads it again; an insert reserves its
 * unique key at once; a rollback leaves no trace. A statement that must wait starts again as a whole, so that its view
 * is newer than in Postgres, and never older.
 */

export type Row = Readonly<Record<string, unknown>>;

export class Transaction {
  readonly touched = new Set<Cell>();
  readonly waiters: (() => void)[] = [];
  waitsFor: Transaction | null = null;
  over = false;
}

/** A row with its committed value, and the value in an open transaction. */
export interface Cell {
  readonly table: Table;
  committed: Row | null;
  pending: { readonly by: Transaction; readonly row: Row | null } | null;
  lock: Transaction | null;
}

/** Thrown by a statement that needs something another transaction holds. The statement has no effect. */
export class Blocked extends Error {
  readonly by: Transaction;
  constructor(by: Transaction) {
    super('held by another transaction');
    this.by = by;
  }
}

/** An error as the server sends it, with its SQLSTATE. */
export class DatabaseError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Unique {
  readonly columns: readonly string[];
  readonly where?: (row: Row) => boolean;
}

export interface TableShape {
  readonly name: string;
  /** Filled in by the table when an insert leaves it out. */
  readonly serial?: string;
  readonly defaults?: (now: Date) => Row;
  readonly json?: readonly string[];
  readonly unique: readonly Unique[];
  /** Columns that never change, by which rows are looked up. */
  readonly lookups: readonly string[];
}

export class Table {
  readonly shape: TableShape;
  readonly cells = new Set<Cell>();
  readonly #byColumn: Map<string, Map<unknown, Set<Cell>>>;
  #serial = 0n;

  constructor(shape: TableShape) {
    this.shape = shape;
    this.#byColumn = new Map(shape.lookups.map((column) => [column, new Map()]));
  }

  nextSerial(): bigint {
    this.#serial += 1n;
    return this.#serial;
  }

  /** The cells with this value in a column of `lookups`; all of them for another column. */
  where(column: string, value: unknown): Iterable<Cell> {
    const index = this.#byColumn.get(column);
    if (!index) return this.cells;
    return index.get(value) ?? [];
  }

  has(column: string): boolean {
    return this.#byColumn.has(column);
  }

  add(cell: Cell, row: Row): void {
    this.cells.add(cell);
    for (const [column, index] of this.#byColumn) {
      const value = row[column];
      const standing = index.get(value);
      if (standing) standing.add(cell);
      else index.set(value, new Set([cell]));
    }
  }

  remove(cell: Cell, row: Row): void {
    this.cells.delete(cell);
    for (const [column, index] of this.#byColumn) index.get(row[column])?.delete(cell);
  }

  /** The rows that everybody sees. */
  *rows(): Generator<Row> {
    for (const cell of this.cells) if (cell.committed !== null) yield cell.committed;
  }
}

/** A row as this transaction sees it. */
export function visible(cell: Cell, trx: Transaction): Row | null {
  return cell.pending?.by === trx ? cell.pending.row : cell.committed;
}

/** @throws Blocked when another transaction holds the row */
export function requireFree(cell: Cell, trx: Transaction): void {
  if (cell.pending && cell.pending.by !== trx) throw new Blocked(cell.pending.by);
  if (cell.lock && cell.lock !== trx) throw new Blocked(cell.lock);
}

export function isFree(cell: Cell, trx: Transaction): boolean {
  return (cell.pending?.by ?? trx) === trx && (cell.lock ?? trx) === trx;
}

export function lock(cell: Cell, trx: Transaction): void {
  requireFree(cell, trx);
  cell.lock = trx;
  trx.touched.add(cell);
}

export function write(cell: Cell, trx: Transaction, row: Row | null): void {
  requireFree(cell, trx);
  cell.pending = { by: trx, row };
  trx.touched.add(cell);
}

/**
 * The existing row that conflicts with this one in the unique key over `target`.
 * @param own the cell to which the row is to be written, for an update
 * @throws Blocked when that is not decided yet, DatabaseError when another unique key conflicts
 */
export function conflicting(
  table: Table,
  row: Row,
  trx: Transaction,
  { target = null, own = null }: { target?: readonly string[] | null; own?: Cell | null } = {},
): Row | null {
  for (const unique of table.shape.unique) {
    const found = keptOut(table, unique, row, trx, own);
    if (!found) continue;
    const meant = target?.length === unique.columns.length && target.every((c) => unique.columns.includes(c));
    if (meant) return found;
    throw new DatabaseError('23505', `${table.shape.name}: duplicate ${unique.columns.join(', ')}`);
  }
  return null;
}

function keptOut(
  table: Table,
  { columns, where }: Unique,
  row: Row,
  trx: Transaction,
  own: Cell | null,
): Row | null {
  if (where && !where(row)) return null;
  if (columns.some((c) => row[c] === null || row[c] === undefined)) return null;
  const same = (other: Row | null): other is Row =>
    other !== null && (!where || where(other)) && columns.every((c) => other[c] === row[c]);
  const column = columns.find((c) => table.has(c)) ?? columns[0]!;
  for (const cell of table.where(column, row[column])) {
    if (cell === own) continue;
    const { pending } = cell;
    if (pending && pending.by !== trx) {
      if (same(pending.row) || same(cell.committed)) throw new Blocked(pending.by);
      continue;
    }
    const mine = visible(cell, trx);
    if (same(mine)) return mine;
  }
  return null;
}

export function insert(table: Table, row: Row, trx: Transaction): Cell {
  const cell: Cell = { table, committed: null, pending: { by: trx, row }, lock: null };
  table.add(cell, row);
  trx.touched.add(cell);
  return cell;
}

/** What a commit did to one row. */
export interface Change {
  readonly table: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

/** Makes a transaction's writes visible to everybody, or discards them, and lets waiting statements continue. */
export function finish(trx: Transaction, outcome: 'commit' | 'rollback'): Change[] {
  const changes: Change[] = [];
  if (trx.over) return changes;
  trx.over = true;
  for (const cell of trx.touched) {
    const { pending } = cell;
    if (pending?.by === trx) {
      const before = cell.committed;
      if (outcome === 'commit') {
        cell.committed = pending.row;
        changes.push({ table: cell.table.shape.name, before, after: pending.row });
      }
      cell.pending = null;
      if (cell.committed === null) cell.table.remove(cell, pending.row ?? before!);
    }
    if (cell.lock === trx) cell.lock = null;
  }
  for (const wake of trx.waiters.splice(0)) wake();
  return changes;
}

/** Whether waiting for `other` would close a circle. */
export function wouldDeadlock(trx: Transaction, other: Transaction): boolean {
  for (let at: Transaction | null = other; at !== null; at = at.waitsFor) if (at === trx) return true;
  return false;
}

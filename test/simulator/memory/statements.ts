import type { OperationNode } from 'kysely';
import {
  columnOf,
  compare,
  equalities,
  evaluate,
  readColumn,
  type Scope,
  tableName,
  test,
  UnknownQuery,
} from './expressions.ts';
import {
  type Cell,
  conflicting,
  insert,
  isFree,
  lock,
  type Row,
  requireFree,
  type Table,
  type Transaction,
  visible,
  write,
} from './rows.ts';

/** Runs the queries that the store builds with Kysely on the tables in memory. */

// biome-ignore lint/suspicious/noExplicitAny: the nodes of a query are told apart by their kind
type Node = any;

export interface Result {
  readonly rows: Row[];
  readonly changed: number;
}

export interface Place {
  readonly trx: Transaction;
  readonly now: Date;
  table(name: string): Table;
}

interface Found {
  readonly scope: Map<string, Row | null>;
  readonly cell: Cell;
}

export function runNode(place: Place, node: OperationNode): Result {
  switch (node.kind) {
    case 'SelectQueryNode':
      return select(place, node as Node);
    case 'InsertQueryNode':
      return insertRows(place, node as Node);
    case 'UpdateQueryNode':
      return update(place, node as Node);
    default:
      throw new UnknownQuery(`a query of kind ${node.kind}`);
  }
}

/** The visible rows of one table that remain after the conditions on lookup columns. */
function* candidates(place: Place, table: Table, alias: string, where: Node): Generator<Cell> {
  let narrow: Iterable<Cell> = table.cells;
  for (const { column, value } of equalities(where, alias)) {
    if (table.has(column)) {
      narrow = table.where(column, value);
      break;
    }
  }
  for (const cell of [...narrow]) if (visible(cell, place.trx) !== null) yield cell;
}

function select(place: Place, node: Node): Result {
  const modifiers: string[] = (node.endModifiers ?? []).map((m: Node) => m.modifier);
  const front: string[] = (node.frontModifiers ?? []).map((m: Node) => m.modifier);
  const isDistinct = front.includes('Distinct');
  const limit = node.limit ? Number(evaluate(new Map(), node.limit.limit)) : null;
  if (node.groupBy || node.having || node.distinctOn || node.setOperations)
    throw new UnknownQuery('a clause of a select');
  const { table, alias } = tableName(node.from.froms[0]);
  let found: Found[] = [];
  for (const cell of candidates(place, place.table(table), alias, node.where)) {
    found.push({ cell, scope: new Map([[alias, visible(cell, place.trx)]]) });
  }
  for (const join of node.joins ?? []) found = joined(place, found, join);
  if (node.where) found = found.filter(({ scope }) => test(scope, node.where) === true);
  if (node.orderBy) sort(found, node.orderBy.items);
  found = locked(place, found, modifiers, isDistinct ? null : limit, node.offset);
  if ((node.selections ?? []).some((s: Node) => isAggregate(s.selection)))
    return { rows: [aggregate(found, node.selections)], changed: 0 };
  let rows = found.map(({ scope }) => project(scope, node.selections ?? []));
  if (isDistinct) {
    rows = [...new Map(rows.map((r) => [JSON.stringify(Object.values(r).map(String)), r])).values()];
    if (limit !== null) rows = rows.slice(0, limit);
  }
  return { rows, changed: 0 };
}

function joined(place: Place, left: Found[], join: Node): Found[] {
  const { table, alias } = tableName(join.table);
  if (join.joinType !== 'InnerJoin' && join.joinType !== 'LeftJoin')
    throw new UnknownQuery(`a ${join.joinType}`);
  return left.flatMap(({ scope, cell }) => {
    const rows: Row[] = [];
    for (const other of matching(place.table(table), alias, join.on.on, scope)) {
      const row = visible(other, place.trx);
      if (row !== null && test(new Map([...scope, [alias, row]]), join.on) === true) rows.push(row);
    }
    const kept: (Row | null)[] = rows.length === 0 && join.joinType === 'LeftJoin' ? [null] : rows;
    return kept.map((row) => ({ cell, scope: new Map([...scope, [alias, row]]) }));
  });
}

/** A join on one equal column is a look-up. */
function matching(table: Table, alias: string, on: Node, scope: Scope): Iterable<Cell> {
  if (on.kind !== 'BinaryOperationNode' || on.operator.operator !== '=') return table.cells;
  for (const [mine, theirs] of [
    [on.leftOperand, on.rightOperand],
    [on.rightOperand, on.leftOperand],
  ]) {
    if (mine.kind !== 'ReferenceNode') continue;
    const { table: of, column } = columnOf(mine);
    if (of === alias && table.has(column) && theirs.kind === 'ReferenceNode')
      return table.where(column, readColumn(scope, theirs));
  }
  return table.cells;
}

function sort(found: Found[], items: readonly Node[]): void {
  found.sort((a, b) => {
    for (const item of items) {
      const order = compare(readColumn(a.scope, item.orderBy), readColumn(b.scope, item.orderBy)) ?? 0;
      const down = item.direction?.sqlFragments[0] === 'desc';
      if (order !== 0) return down ? -order : order;
    }
    return 0;
  });
}

/** `for update` waits for rows that others hold, or skips them; a limit counts the rest. */
function locked(
  place: Place,
  found: Found[],
  modifiers: readonly string[],
  limit: number | null,
  offset: Node,
): Found[] {
  const locks = modifiers.includes('ForUpdate') || modifiers.includes('ForNoKeyUpdate');
  const free = modifiers.includes('SkipLocked') ? found.filter((f) => isFree(f.cell, place.trx)) : found;
  const from = offset ? Number(evaluate(new Map(), offset.offset)) : 0;
  const kept = limit === null ? free : free.slice(from, from + limit);
  if (locks) {
    for (const { cell } of kept) requireFree(cell, place.trx);
    for (const { cell } of kept) lock(cell, place.trx);
  }
  return kept;
}

function isAggregate(selection: Node): boolean {
  return selection.kind === 'AliasNode' && selection.node.kind === 'AggregateFunctionNode';
}

/** Sums and counts have the types that the server sends: a sum of bigint as text, a count as bigint. */
function aggregate(found: readonly Found[], selections: readonly Node[]): Row {
  return Object.fromEntries(
    selections.map(({ selection }: Node) => {
      if (!isAggregate(selection)) throw new UnknownQuery('a column beside an aggregate');
      const { func, aggregated, filter } = selection.node;
      const of = filter ? found.filter((f) => test(f.scope, filter) === true) : found;
      const name = selection.alias.name as string;
      if (func === 'count') return [name, BigInt(of.length)];
      const values = of.map((f) => readColumn(f.scope, aggregated[0])).filter((v) => v !== null);
      if (func === 'max') {
        const most = (a: unknown, b: unknown): unknown => ((compare(a, b) ?? -1) < 0 ? b : a);
        return [name, values.reduce<unknown>(most, null)];
      }
      if (func !== 'sum') throw new UnknownQuery(`the aggregate ${func}`);
      return [
        name,
        values.length === 0 ? null : String(values.reduce((a, b) => (a as bigint) + (b as bigint), 0n)),
      ];
    }),
  );
}

function project(scope: Scope, selections: readonly Node[]): Row {
  const row: Record<string, unknown> = {};
  for (const { selection } of selections as { selection: Node }[]) {
    if (selection.kind === 'SelectAllNode') {
      for (const each of scope.values()) Object.assign(row, each);
    } else if (selection.kind === 'ReferenceNode' && selection.column.kind === 'SelectAllNode') {
      Object.assign(row, scope.get(selection.table.table.identifier.name));
    } else if (selection.kind === 'AliasNode') {
      row[selection.alias.name] = evaluate(scope, selection.node);
    } else {
      row[columnOf(selection).column] = readColumn(scope, selection);
    }
  }
  return row;
}

function insertRows(place: Place, node: Node): Result {
  const table = place.table(tableName(node.into).table);
  const columns: string[] = node.columns.map((c: Node) => c.column.name);
  const { onConflict } = node;
  const target = onConflict && conflictTarget(onConflict);
  const fresh: Row[] = [];
  const standing: { cell: Cell; row: Row }[] = [];
  for (const list of node.values.values) {
    const given = Object.fromEntries(
      columns.flatMap((column, i) => {
        const value = list.values[i];
        if (list.kind === 'PrimitiveValueListNode') return [[column, value]];
        return value.kind === 'DefaultInsertValueNode' ? [] : [[column, evaluate(new Map(), value)]];
      }),
    );
    const row = completeRow(table, given, place.now);
    const other = conflicting(table, row, place.trx, { target });
    if (other === null) fresh.push(row);
    else if (onConflict?.updates) standing.push(changedRow(place, table, other, onConflict.updates));
  }
  for (const { cell } of standing) requireFree(cell, place.trx);
  for (const { cell, row } of standing) write(cell, place.trx, row);
  const { serial } = table.shape;
  const rows = fresh.map((row) => (serial === undefined ? row : { ...row, [serial]: table.nextSerial() }));
  for (const row of rows) insert(table, row, place.trx);
  return answer(table, [...rows, ...standing.map((s) => s.row)], node.returning);
}

function changedRow(
  place: Place,
  table: Table,
  other: Row,
  updates: readonly Node[],
): { cell: Cell; row: Row } {
  const [first] = table.shape.unique;
  for (const cell of table.where(first!.columns[0]!, other[first!.columns[0]!])) {
    if (visible(cell, place.trx) === other) return { cell, row: changed(table, other, updates) };
  }
  throw new UnknownQuery('an upsert over a row that is not there');
}

function conflictTarget(onConflict: Node): string[] {
  if (onConflict.columns) return onConflict.columns.map((c: Node) => c.column.name);
  if (onConflict.indexExpression?.sqlFragments?.[0] === 'claim_key(asset_key)') return ['asset_key'];
  throw new UnknownQuery('a conflict over another expression');
}

/** Adds defaults and parses JSON, but adds no serial number, which only a row that is really inserted takes. */
export function completeRow(table: Table, given: Row, now: Date): Row {
  return parsed(table, { ...table.shape.defaults?.(now), ...given });
}

function parsed(table: Table, row: Row): Row {
  const { json } = table.shape;
  if (!json) return row;
  const read = json.map((c) => [
    c,
    typeof row[c] === 'string' ? JSON.parse(row[c] as string) : (row[c] ?? null),
  ]);
  return { ...row, ...Object.fromEntries(read) };
}

function changed(table: Table, row: Row, updates: readonly Node[]): Row {
  const scope = new Map([[table.shape.name, row]]);
  const to = updates.map((u) => [columnOf(u.column).column, evaluate(scope, u.value)]);
  return parsed(table, { ...row, ...Object.fromEntries(to) });
}

function update(place: Place, node: Node): Result {
  if (node.from || node.joins || node.limit) throw new UnknownQuery('a clause of an update');
  const { table: name, alias } = tableName(node.table);
  const table = place.table(name);
  const hits: Cell[] = [];
  for (const cell of candidates(place, table, alias, node.where)) {
    const scope = new Map([[alias, visible(cell, place.trx)]]);
    if (!node.where || test(scope, node.where) === true) hits.push(cell);
  }
  const writes = hits.map((cell) => {
    requireFree(cell, place.trx);
    const row = changed(table, visible(cell, place.trx)!, node.updates);
    conflicting(table, row, place.trx, { own: cell });
    return { cell, row };
  });
  for (const { cell, row } of writes) write(cell, place.trx, row);
  return answer(
    table,
    writes.map((w) => w.row),
    node.returning,
  );
}

function answer(table: Table, rows: readonly Row[], returning: Node): Result {
  const told = returning
    ? rows.map((row) => project(new Map([[table.shape.name, row]]), returning.selections))
    : [];
  return { rows: told, changed: rows.length };
}

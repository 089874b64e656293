import type { OperationNode } from 'kysely';
import type { Row } from './rows.ts';

/** The rows against which an expression is evaluated, by the name of their table in the query. */
export type Scope = ReadonlyMap<string, Row | null>;

// biome-ignore lint/suspicious/noExplicitAny: the nodes of a query are told apart by their kind
type Node = any;

/** A query that this store does not know. It must not look like one that found nothing. */
export class UnknownQuery extends Error {}

/** A table's name and its alias in a query. */
export function tableName(node: Node): { table: string; alias: string } {
  if (node.kind === 'AliasNode') {
    const { table } = tableName(node.node);
    return { table, alias: node.alias.name };
  }
  if (node.kind !== 'TableNode') throw new UnknownQuery(`a table of kind ${node.kind}`);
  const table = node.table.identifier.name as string;
  return { table, alias: table };
}

export function columnOf(node: Node): { table: string | null; column: string } {
  if (node.kind === 'ColumnNode') return { table: null, column: node.column.name };
  if (node.kind === 'ReferenceNode' && node.column.kind === 'ColumnNode') {
    return {
      table: node.table ? node.table.table.identifier.name : null,
      column: node.column.column.name,
    };
  }
  throw new UnknownQuery(`a column of kind ${node.kind}`);
}

export function readColumn(scope: Scope, node: Node): unknown {
  const { table, column } = columnOf(node);
  if (table !== null) {
    if (!scope.has(table)) throw new UnknownQuery(`no table ${table} in this query`);
    const row = scope.get(table);
    return row ? (row[column] ?? null) : null;
  }
  // The missing row of a left join has no columns to search, so the column reads as null.
  for (const row of scope.values()) if (row && column in row) return row[column] ?? null;
  return null;
}

export function evaluate(scope: Scope, node: Node): unknown {
  switch (node.kind) {
    case 'ReferenceNode':
    case 'ColumnNode':
      return readColumn(scope, node);
    case 'ValueNode':
      return node.value;
    case 'PrimitiveValueListNode':
      return node.values;
    case 'ValueListNode':
      return node.values.map((v: Node) => evaluate(scope, v));
    default:
      throw new UnknownQuery(`an expression of kind ${node.kind}`);
  }
}

/** True, false, or null for SQL's unknown. */
export function test(scope: Scope, node: OperationNode): boolean | null {
  const n = node as Node;
  switch (n.kind) {
    case 'WhereNode':
      return test(scope, n.where);
    case 'OnNode':
      return test(scope, n.on);
    case 'ParensNode':
      return test(scope, n.node);
    case 'AndNode': {
      const left = test(scope, n.left);
      if (left === false) return false;
      const right = test(scope, n.right);
      return right === false ? false : left === null || right === null ? null : true;
    }
    case 'OrNode': {
      const left = test(scope, n.left);
      if (left === true) return true;
      const right = test(scope, n.right);
      return right === true ? true : left === null || right === null ? null : false;
    }
    case 'BinaryOperationNode':
      return binary(
        n.operator.operator,
        evaluate(scope, n.leftOperand),
        () => evaluate(scope, n.rightOperand),
        n,
      );
    case 'RawNode':
      return textOf(n) === HELD_BY_GUARDIAN ? holdsOf(scope).includes('guardian') : sameThing(scope, n);
    default:
      throw new UnknownQuery(`a condition of kind ${n.kind}`);
  }
}

function binary(operator: string, left: unknown, right: () => unknown, node: Node): boolean | null {
  if (operator === 'is' || operator === 'is not') {
    const isNull = left === null || left === undefined;
    if (node.rightOperand.kind !== 'ValueNode' || node.rightOperand.value !== null)
      throw new UnknownQuery('is, of something other than null');
    return operator === 'is' ? isNull : !isNull;
  }
  const other = right();
  if (operator === 'in' || operator === 'not in') {
    if (left === null || left === undefined) return null;
    const found = (other as readonly unknown[]).some((v) => compare(left, v) === 0);
    return operator === 'in' ? found : !found;
  }
  const order = compare(left, other);
  if (order === null) return null;
  switch (operator) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case 'like':
      return like(String(left), String(other));
    default:
      throw new UnknownQuery(`the operator ${operator}`);
  }
}

function like(text: string, pattern: string): boolean {
  const plain = pattern.replaceAll('%', '');
  if (pattern.startsWith('%')) return text.endsWith(plain);
  return pattern.endsWith('%') ? text.startsWith(plain) : text === plain;
}

/**
 * Compares like Postgres: null with anything is unknown, times compare by their moment, and integers of any width by
 * value.
 */
export function compare(a: unknown, b: unknown): number | null {
  if (a === null || a === undefined || b === null || b === undefined) return null;
  const [x, y] = [a instanceof Date ? a.getTime() : a, b instanceof Date ? b.getTime() : b] as [
    number,
    number,
  ];
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are the same integer
  return x == y ? 0 : x < y ? -1 : 1;
}

const SAME_THING = /^\s*claim_key\(asset_key\) = claim_key\(\)\s*$/;

const HELD_BY_GUARDIAN = "'guardian' = any(suspension_reasons)";

function textOf(node: Node): string {
  return node.sqlFragments.join('?').trim();
}

function holdsOf(scope: Scope): readonly unknown[] {
  for (const row of scope.values())
    if (row && 'suspension_reasons' in row) return row.suspension_reasons as readonly unknown[];
  throw new UnknownQuery('suspension reasons of nothing');
}

/** A condition that the store writes as text. Only a serial's claim key differs from its asset key. */
function sameThing(scope: Scope, node: Node): boolean {
  if (!SAME_THING.test(node.sqlFragments.join(''))) throw new UnknownQuery(node.sqlFragments.join('?'));
  const wanted = evaluate(scope, node.parameters[0]) as string;
  if (wanted.startsWith('serial:')) throw new UnknownQuery('the claim key of a serial');
  for (const row of scope.values()) if (row && 'asset_key' in row) return row.asset_key === wanted;
  return false;
}

/** `column = value` conditions that must all hold and can be used to look rows up. */
export function* equalities(node: Node, alias: string): Generator<{ column: string; value: unknown }> {
  if (!node) return;
  if (node.kind === 'WhereNode') yield* equalities(node.where, alias);
  else if (node.kind === 'ParensNode') yield* equalities(node.node, alias);
  else if (node.kind === 'AndNode') {
    yield* equalities(node.left, alias);
    yield* equalities(node.right, alias);
  } else if (
    node.kind === 'BinaryOperationNode' &&
    node.operator.operator === '=' &&
    node.leftOperand.kind === 'ReferenceNode' &&
    node.rightOperand.kind === 'ValueNode'
  ) {
    const { table, column } = columnOf(node.leftOperand);
    if (table === null || table === alias) yield { column, value: node.rightOperand.value };
  } else if (node.kind === 'RawNode' && SAME_THING.test(node.sqlFragments.join(''))) {
    yield { column: 'asset_key', value: (node.parameters[0] as Node).value };
  }
}

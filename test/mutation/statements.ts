import { type Change, isRequire, type Operator } from './operators.ts';
import { type Node, range, type Source } from './syntax.ts';

/** Takes a whole statement out, its semicolon too; an empty block stays, so that it may stand anywhere. */
function without(operator: string, source: Source, node: Node): Change {
  const [start, end] = range(node);
  let after = end;
  while (/\s/.test(String.fromCharCode(source.bytes[after] ?? 0))) after++;
  return { operator, start, end: source.bytes[after] === 0x3b ? after + 1 : end, replacement: '{}' };
}

/** Unconditional ends of a branch: what a guard does when it strikes. */
const ENDS = new Set(['RevertStatement', 'Return', 'Break', 'Continue']);

const guard: Operator = (source, node) => {
  if (node.nodeType !== 'IfStatement' || isPresent(node.falseBody)) return [];
  const body = node.trueBody as Node;
  const statements = body.nodeType === 'Block' ? (body.statements as readonly Node[]) : [body];
  const last = statements.at(-1);
  if (last === undefined || !ENDS.has(last.nodeType)) return [];
  // A guard in a block ends with its brace; a bare one with the semicolon of its only statement.
  return [without('guard', source, node)];
};

const statement: Operator = (source, node, parent) => {
  if (node.nodeType === 'EmitStatement') return [without('emit', source, node)];
  if (node.nodeType !== 'ExpressionStatement') return [];
  if (parent?.nodeType === 'ForStatement' && parent.body !== node) return [];
  const expression = node.expression as Node;
  if (isRequire(expression)) return [without('guard', source, node)];
  if (expression.nodeType === 'Assignment') return [without('assignment', source, node)];
  if (expression.nodeType === 'UnaryOperation') return [without('assignment', source, node)];
  if (expression.nodeType === 'FunctionCall') return [without('call', source, node)];
  return [];
};

const modifier: Operator = (_source, node) => {
  if (node.nodeType !== 'ModifierInvocation' || node.kind !== 'modifierInvocation') return [];
  const [start, end] = range(node);
  return [{ operator: 'modifier', start, end, replacement: '' }];
};

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

export const STATEMENT_OPERATORS: readonly Operator[] = [guard, statement, modifier];

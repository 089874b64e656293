import { isNode, type Node, range, type Source, textOf, typeOf } from './syntax.ts';

/** What to put in place of a stretch of the source. */
export interface Change {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The node by which a reader knows the place; the stretch itself where it says enough. */
  readonly shown?: Node;
  /** What the replacement calls, for the end of the file. */
  readonly appendix?: string;
}

/** The names that code may use where a node stands. */
export interface Place {
  /** Variables and functions of the contract and of what it inherits. */
  readonly members: readonly Node[];
  /** Parameters and variables of the function. */
  readonly locals: ReadonlySet<string>;
}

/** Looks at one node, knowing what it stands in, and names the changes it would make. */
export type Operator = (
  source: Source,
  node: Node,
  parent: Node | undefined,
  place: Place,
) => readonly Change[];

const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
};
const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '^': '&',
};
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

const instead = (operator: string, node: Node, replacement: string): Change => {
  const [start, end] = range(node);
  return { operator, start, end, replacement };
};

/** The operator's sign alone, found between its operands, so that comments there stay. */
function sign(
  source: Source,
  node: Node,
  left: Node,
  right: Node,
  found: string,
  to: string,
  operator: string,
): Change {
  const from = range(left)[1];
  // Latin-1 keeps one character a byte, so that what is blanked moves nothing.
  const between = source.bytes.subarray(from, range(right)[0]).toString('latin1');
  const start = from + between.replaceAll(COMMENT, (comment) => ' '.repeat(comment.length)).indexOf(found);
  if (start < from) throw new Error(`no ${found} in ${textOf(source, node)}`);
  return { operator, start, end: start + Buffer.byteLength(found), replacement: to, shown: node };
}

const binary: Operator = (source, node) => {
  if (node.nodeType !== 'BinaryOperation') return [];
  const [left, right, found] = [
    node.leftExpression as Node,
    node.rightExpression as Node,
    node.operator as string,
  ];
  const change = (operator: string) => (to: string) => sign(source, node, left, right, found, to, operator);
  return [
    ...(RELATIONS[found] ?? []).map(change('relation')),
    ...[ARITHMETIC[found] ?? []].flat().map(change('arithmetic')),
    ...[LOGIC[found] ?? []].flat().map(change('logic')),
  ];
};

const compound: Operator = (source, node) => {
  if (node.nodeType !== 'Assignment' || node.operator === '=') return [];
  const found = node.operator as string;
  const to = ARITHMETIC[found.slice(0, -1)];
  if (to === undefined) return [];
  const [left, right] = [node.leftHandSide as Node, node.rightHandSide as Node];
  return [sign(source, node, left, right, found, `${to}=`, 'arithmetic')];
};

const step: Operator = (source, node) => {
  if (node.nodeType !== 'UnaryOperation') return [];
  const found = node.operator as string;
  if (found !== '++' && found !== '--') return [];
  const other = found === '++' ? '--' : '++';
  const inner = textOf(source, node.subExpression as Node);
  return [instead('arithmetic', node, node.prefix === true ? `${other}${inner}` : `${inner}${other}`)];
};

/** Turns the truth of a condition or of one term of it. Comparisons are turned by their signs. */
const negation: Operator = (source, node, parent) => {
  const isTerm =
    parent !== undefined &&
    ((parent.nodeType === 'BinaryOperation' && LOGIC[parent.operator as string] !== undefined) ||
      (['IfStatement', 'Conditional'].includes(parent.nodeType) && parent.condition === node) ||
      (isRequire(parent) && (parent.arguments as Node[])[0] === node));
  if (!isTerm || typeOf(node) !== 'bool') return [];
  const found = node.operator as string | undefined;
  if (node.nodeType === 'UnaryOperation' && found === '!') {
    return [instead('negation', node, textOf(source, node.subExpression as Node))];
  }
  if (found !== undefined && (RELATIONS[found] !== undefined || LOGIC[found] !== undefined)) return [];
  return [instead('negation', node, `!${textOf(source, node)}`)];
};

/** Swaps neighbours of one type among the arguments of a call, an event, an error or a struct. */
const swap: Operator = (source, node) => {
  if (node.nodeType !== 'FunctionCall' || (node.names as unknown[]).length > 0) return [];
  const given = node.arguments as readonly Node[];
  return given.flatMap((left, i) => {
    const j = given.findIndex((right, k) => k > i && typeOf(right) === typeOf(left));
    const right = given[j];
    if (right === undefined || textOf(source, left) === textOf(source, right)) return [];
    const between = source.bytes.subarray(range(left)[1], range(right)[0]).toString('utf8');
    return [
      {
        operator: 'argument-swap',
        start: range(left)[0],
        end: range(right)[1],
        replacement: `${textOf(source, right)}${between}${textOf(source, left)}`,
      },
    ];
  });
};

export function isRequire(node: Node): boolean {
  const called = node.expression;
  return node.nodeType === 'FunctionCall' && isNode(called) && called.name === 'require';
}

export const EXPRESSION_OPERATORS: readonly Operator[] = [binary, compound, step, negation, swap];

import type { Change, Operator } from './operators.ts';
import { type Node, range, type Source, textOf, typeOf } from './syntax.ts';

const put = (
  operator: string,
  source: Source,
  node: Node,
  shown: Node,
  replacements: readonly string[],
): readonly Change[] => {
  const [start, end] = range(node);
  const original = textOf(source, node);
  return [...new Set(replacements)]
    .filter((replacement) => replacement !== original)
    .map((replacement) => ({ operator, start, end, replacement, shown }));
};

/** A number one more, one less and nought; a truth value turned. Addresses and strings are left alone. */
const constant: Operator = (source, node, parent = node) => {
  if (node.nodeType === 'YulLiteral' && node.kind === 'number') {
    return put('constant', source, node, parent, near(node.value as string));
  }
  if (node.nodeType !== 'Literal') return [];
  if (node.kind === 'bool')
    return put('constant', source, node, parent, [node.value === 'true' ? 'false' : 'true']);
  if (node.kind !== 'number' || typeOf(node) === 'address') return [];
  if (typeof node.subdenomination === 'string') {
    const text = textOf(source, node);
    return put('constant', source, node, parent, [`(${text} + 1)`, `(${text} - 1)`, '0']);
  }
  return put('constant', source, node, parent, near((node.value as string).replaceAll('_', '')));
};

function near(value: string): readonly string[] {
  if (/[.e]/.test(value) && !value.startsWith('0x')) return [`(${value} + 1)`, `(${value} - 1)`, '0'];
  const number = BigInt(value);
  const write = (n: bigint) =>
    value.startsWith('0x') ? `0x${n.toString(16).padStart(value.length - 2, '0')}` : `${n}`;
  return [number + 1n, ...(number > 0n ? [number - 1n, 0n] : [])].map(write);
}

/** A returned value becomes the nothing of its type; each part of a tuple by itself. */
const returned: Operator = (source, node) => {
  if (node.nodeType !== 'Return') return [];
  const expression = node.expression as Node | null | undefined;
  if (expression === null || expression === undefined) return [];
  const parts =
    expression.nodeType === 'TupleExpression' ? (expression.components as readonly Node[]) : [expression];
  return parts
    .filter((part) => part.nodeType !== 'Literal')
    .flatMap((part) => put('return-value', source, part, part, nothingOf(typeOf(part))));
};

function nothingOf(type: string): readonly string[] {
  if (type === 'bool') return ['true', 'false'];
  if (/^u?int\d+$/.test(type)) return ['0'];
  if (/^bytes\d+$/.test(type)) return [`${type}(0)`];
  if (type === 'address' || type === 'address payable') return ['address(0)'];
  if (type === 'string memory' || type === 'bytes memory') return ['""'];
  return [];
}

export const VALUE_OPERATORS: readonly Operator[] = [constant, returned];

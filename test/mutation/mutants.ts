import { createHash } from 'node:crypto';
import { type Change, EXPRESSION_OPERATORS, type Place } from './operators.ts';
import { PERMISSION_OPERATORS, placeOf } from './permissions.ts';
import { STATEMENT_OPERATORS } from './statements.ts';
import { childrenOf, type Node, range, type Source } from './syntax.ts';
import { VALUE_OPERATORS } from './values.ts';

/** One small fault in one source. What names it does not move when code elsewhere does. */
export interface Mutant extends Change {
  readonly file: string;
  /** `Contract.function`, or `Contract.variable` for a constant. */
  readonly scope: string;
  /** The place as it was and as it is now. */
  readonly before: string;
  readonly after: string;
  /** Which of several alike in the same scope, from 1. */
  readonly occurrence: number;
  readonly line: number;
}

const OPERATORS = [
  ...EXPRESSION_OPERATORS,
  ...VALUE_OPERATORS,
  ...STATEMENT_OPERATORS,
  ...PERMISSION_OPERATORS,
];

/** Every mutant of a source, in the order of the source. Type errors among them are told by the compiler. */
export function mutantsOf(source: Source): readonly Mutant[] {
  const found: (Change & { scope: string })[] = [];
  const visit = (
    node: Node,
    parent: Node | undefined,
    scope: readonly string[],
    inCode: boolean,
    outer: { readonly contract?: Node; readonly place: Place },
  ): void => {
    const named = ['ContractDefinition', 'FunctionDefinition', 'ModifierDefinition'].includes(node.nodeType);
    const isConstant = node.nodeType === 'VariableDeclaration' && node.stateVariable === true;
    const inside = named || isConstant ? [...scope, nameOf(node)] : scope;
    const code = inCode || isConstant || (named && node.nodeType !== 'ContractDefinition');
    const contract = node.nodeType === 'ContractDefinition' ? node : outer.contract;
    const place = named ? placeOf(source, contract, node === contract ? undefined : node) : outer.place;
    if (code) {
      for (const operator of OPERATORS) {
        for (const change of operator(source, node, parent, place))
          found.push({ ...change, scope: inside.join('.') });
      }
    }
    for (const child of childrenOf(node)) visit(child, node, inside, code, { contract, place });
  };
  visit(source.tree, undefined, [], false, { place: placeOf(source, undefined, undefined) });
  return number(source, found);
}

function nameOf(node: Node): string {
  return (node.name as string) || (node.kind as string);
}

function number(source: Source, found: readonly (Change & { scope: string })[]): readonly Mutant[] {
  const seen = new Map<string, number>();
  return [...found]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((change) => {
      const text = (from: number, to: number) => source.bytes.subarray(from, to).toString('utf8');
      const [from, to] = change.shown === undefined ? [change.start, change.end] : range(change.shown);
      const after = text(from, change.start) + change.replacement + text(change.end, to);
      const line = text(0, change.start).split('\n').length;
      const mutant = { ...change, file: source.file, before: text(from, to), after, occurrence: 1, line };
      const key = idOf(mutant);
      const occurrence = (seen.get(key) ?? 0) + 1;
      seen.set(key, occurrence);
      return { ...mutant, occurrence };
    });
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** The name of a mutant: file, function, operator, what stood there and what stands there now. */
export function idOf({
  file,
  scope,
  operator,
  before,
  after,
  occurrence,
}: Pick<Mutant, 'file' | 'scope' | 'operator' | 'before' | 'after' | 'occurrence'>): string {
  const which = occurrence > 1 ? ` (${occurrence})` : '';
  return `${file} | ${scope} | ${operator} | ${onOneLine(before)} => ${onOneLine(after)}${which}`;
}

/** The source with the fault in it. */
export function apply(bytes: Buffer, { start, end, replacement, appendix = '' }: Change): Buffer {
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(replacement),
    bytes.subarray(end),
    Buffer.from(appendix),
  ]);
}

/** `size` of them, chosen by a seed and their names: what else the sources gain or lose moves few of the others. */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[] {
  const rank = (mutant: Mutant) =>
    createHash('sha256')
      .update(`${seed} ${idOf(mutant)}`)
      .digest('hex');
  const chosen = new Set(
    mutants
      .map((mutant) => ({ mutant, rank: rank(mutant) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, size)
      .map(({ mutant }) => mutant),
  );
  return mutants.filter((mutant) => chosen.has(mutant));
}

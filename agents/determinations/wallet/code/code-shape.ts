import { type Instruction, instructions, JUMPDEST, withoutMetadata } from '../instructions.ts';

const CALL = 0xf1;
const CALLCODE = 0xf2;
const DELEGATECALL = 0xf4;
const SELFDESTRUCT = 0xff;
const SELFBALANCE = 0x47;
const BALANCE = 0x31;
const ADDRESS = 0x30;
const CALLER = 0x33;
const ORIGIN = 0x32;
const CALLVALUE = 0x34;
const CALLDATALOAD = 0x35;
const SLOAD = 0x54;

/** A value on the stack, as far as one knows without running anything: a constant, or where it comes from. */
type Value = { readonly constant: bigint } | { readonly from: string };

/** Paths and steps that are followed: short code has few. */
const MOST = { bytes: 1_024, paths: 64, steps: 4_000 } as const;

/** A call that some path makes, with what is known of whom it pays and how much. */
interface Payment {
  readonly op: number;
  readonly to: Value;
  readonly value: Value;
  /** Whether the path compared the caller with anything before. */
  readonly guarded: boolean;
  /** Whether a function was chosen by the call data before. */
  readonly chosen: boolean;
}

/**
 * What short code does with money, in words: it sends all that it holds, or what comes, to a fixed address whoever calls
 * it; or it destroys itself in somebody's favour. Found by following each path with unknown inputs.
 */
export function codeShapes(code: string): string[] {
  const bare = withoutMetadata(code);
  if (bare.length <= 2 || (bare.length - 2) / 2 > MOST.bytes || bare.startsWith('0xef')) return [];
  const found = payments(instructions(bare));
  const said = new Set<string>();
  for (const { op, to, value, guarded, chosen } of found) {
    const fixed = 'constant' in to && to.constant > 0xffffn;
    const sends = 'from' in value && (value.from === 'balance' || value.from === 'callvalue');
    if (op === CALL && fixed && sends && !chosen && !guarded)
      said.add(`sends what comes on to ${hexOf(to as { constant: bigint })}`);
    if (op === CALL && fixed && 'from' in value && value.from === 'balance' && !guarded)
      said.add(`sends all that it holds to ${hexOf(to as { constant: bigint })}, whoever calls it`);
    if (op === CALL && fixed && 'from' in value && value.from === 'part' && !guarded)
      said.add(`${PART} to ${hexOf(to as { constant: bigint })}, whoever calls it`);
    if (op === SELFDESTRUCT && !guarded) said.add('destroys itself, whoever calls it');
  }
  return [...said].sort();
}

const PART = 'sends a part of what it holds';

/** The shapes that are theft wherever they stand; who shares out what he holds, as a splitter of payments does, takes nothing. */
export function sweepingShapes(shapes: readonly string[]): string[] {
  return shapes.filter((shape) => !shape.startsWith(PART));
}

const hexOf = ({ constant }: { readonly constant: bigint }): string =>
  `0x${(constant & (2n ** 160n - 1n)).toString(16).padStart(40, '0')}`;

/** Whether code hands its calls to other code, in its own name. */
export function delegates(code: string): boolean {
  return instructions(withoutMetadata(code)).some(({ op }) => op === DELEGATECALL);
}

/** A minimal proxy (EIP-1167). Behind it stand values that are no code, as the token of an account (ERC-6551). */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73[0-9a-f]{40}5af43d82803e903d91602b57fd5bf3/;

/** Whether code may destroy itself. What stands behind the code of a contract, such as texts, may look like it. */
export function holdsSelfDestruct(code: string): boolean {
  const bare = withoutMetadata(code);
  const [run = bare] = MINIMAL_PROXY.exec(bare) ?? [];
  return instructions(run).some(({ op }) => op === SELFDESTRUCT);
}

interface Path {
  readonly index: number;
  readonly stack: readonly Value[];
  readonly guarded: boolean;
  readonly chosen: boolean;
}

const unknown: Value = { from: 'unknown' };

function payments(code: readonly Instruction[]): Payment[] {
  const places = new Map(code.map(({ at }, index) => [at, index]));
  const open: Path[] = [{ index: 0, stack: [], guarded: false, chosen: false }];
  const found: Payment[] = [];
  const seen = new Set<string>();
  for (let [paths, steps] = [0, 0]; open.length > 0 && paths < MOST.paths; paths++) {
    const path = open.pop()!;
    let { index, guarded, chosen } = path;
    const stack = [...path.stack];
    const pop = (): Value => stack.pop() ?? unknown;
    for (; index < code.length && steps < MOST.steps; steps++) {
      const { op, push } = code[index]!;
      if (op === CALL || op === CALLCODE) {
        const [, to, value] = [pop(), pop(), pop()];
        for (let i = 0; i < 4; i++) pop();
        found.push({ op, to, value, guarded, chosen });
        stack.push(unknown);
      } else if (op === SELFDESTRUCT) {
        found.push({ op, to: pop(), value: unknown, guarded, chosen });
        break;
      } else if (op === 0x56 || op === 0x57) {
        const to = pop();
        const when = op === 0x57 ? pop() : null;
        const target = 'constant' in to ? places.get(Number(to.constant)) : undefined;
        if (when !== null && 'from' in when) {
          guarded ||= when.from === 'caller';
          chosen ||= when.from === 'calldata';
        }
        const isTarget = target !== undefined && code[target]?.op === JUMPDEST;
        const isTaken = when === null || ('constant' in when && when.constant !== 0n);
        if (isTaken && !isTarget) break;
        if (isTaken) index = target!;
        else {
          const key = `${target} ${stack.length} ${guarded} ${chosen}`;
          if (isTarget && !('constant' in when!) && !seen.has(key)) {
            seen.add(key);
            open.push({ index: target, stack: [...stack], guarded, chosen });
          }
          index += 1;
        }
        continue;
      } else if ([0x00, 0xf3, 0xfd, 0xfe].includes(op)) break;
      else step(op, push, stack, pop);
      index += 1;
    }
  }
  return found;
}

/** Words of the stack that an instruction takes and gives, for those that are not followed more closely. */
const ARITY: Readonly<Record<number, readonly [takes: number, gives: number]>> = {
  ...range(0x01, 0x07, [2, 1]),
  ...range(0x08, 0x09, [3, 1]),
  ...range(0x0a, 0x0b, [2, 1]),
  ...range(0x10, 0x14, [2, 1]),
  ...range(0x15, 0x15, [1, 1]),
  ...range(0x16, 0x18, [2, 1]),
  ...range(0x19, 0x19, [1, 1]),
  ...range(0x1a, 0x1d, [2, 1]),
  ...range(0x20, 0x20, [2, 1]),
  ...range(0x30, 0x30, [0, 1]),
  ...range(0x31, 0x31, [1, 1]),
  ...range(0x32, 0x34, [0, 1]),
  ...range(0x35, 0x35, [1, 1]),
  ...range(0x36, 0x36, [0, 1]),
  ...range(0x37, 0x37, [3, 0]),
  ...range(0x38, 0x38, [0, 1]),
  ...range(0x39, 0x39, [3, 0]),
  ...range(0x3a, 0x3a, [0, 1]),
  ...range(0x3b, 0x3b, [1, 1]),
  ...range(0x3c, 0x3c, [4, 0]),
  ...range(0x3d, 0x3d, [0, 1]),
  ...range(0x3e, 0x3e, [3, 0]),
  ...range(0x3f, 0x40, [1, 1]),
  ...range(0x41, 0x48, [0, 1]),
  ...range(0x50, 0x50, [1, 0]),
  ...range(0x51, 0x51, [1, 1]),
  ...range(0x52, 0x53, [2, 0]),
  ...range(0x54, 0x54, [1, 1]),
  ...range(0x55, 0x55, [2, 0]),
  ...range(0x58, 0x5a, [0, 1]),
  ...range(0x5b, 0x5b, [0, 0]),
  ...range(0x5c, 0x5c, [1, 1]),
  ...range(0x5d, 0x5d, [2, 0]),
  ...range(0x5e, 0x5e, [3, 0]),
  ...range(0xa0, 0xa0, [2, 0]),
  ...range(0xa1, 0xa1, [3, 0]),
  ...range(0xa2, 0xa2, [4, 0]),
  ...range(0xa3, 0xa3, [5, 0]),
  ...range(0xa4, 0xa4, [6, 0]),
  ...range(0xf0, 0xf0, [3, 1]),
  ...range(0xf5, 0xf5, [4, 1]),
  ...range(DELEGATECALL, DELEGATECALL, [6, 1]),
  ...range(0xfa, 0xfa, [6, 1]),
};

function range(from: number, to: number, arity: readonly [number, number]) {
  return Object.fromEntries(Array.from({ length: to - from + 1 }, (_, i) => [from + i, arity]));
}

const SOURCES: Readonly<Record<number, string>> = {
  [SELFBALANCE]: 'balance',
  [BALANCE]: 'balance',
  [ADDRESS]: 'self',
  [CALLER]: 'caller',
  [ORIGIN]: 'caller',
  [CALLVALUE]: 'callvalue',
  [CALLDATALOAD]: 'calldata',
  [SLOAD]: 'storage',
};

function step(op: number, push: string | null, stack: Value[], pop: () => Value): void {
  if (push !== null) stack.push({ constant: push === '' ? 0n : BigInt(`0x${push}`) });
  else if (op >= 0x80 && op <= 0x8f) stack.push(stack.at(-(op - 0x7f)) ?? unknown);
  else if (op >= 0x90 && op <= 0x9f) {
    const [top, other] = [stack.length - 1, stack.length - 1 - (op - 0x8f)];
    if (other >= 0) [stack[top], stack[other]] = [stack[other]!, stack[top]!];
  } else {
    const [takes, gives] = ARITY[op] ?? [0, 0];
    const taken = Array.from({ length: takes }, pop);
    if (gives === 0) return;
    const source = SOURCES[op];
    if (source !== undefined) stack.push({ from: source });
    else stack.push(combined(op, taken));
  }
}

/** A comparison with the caller is one, whatever is made of it; masks of constants keep them. */
function combined(op: number, taken: readonly Value[]): Value {
  const [a, b] = taken;
  if (op === 0x16 && a !== undefined && b !== undefined && 'constant' in a && 'constant' in b)
    return { constant: a.constant & b.constant };
  const isShare = op === 0x02 || op === 0x04;
  if (isShare && taken.some((v) => 'from' in v && v.from === 'balance')) return { from: 'part' };
  const from = taken.flatMap((v) => ('from' in v ? [v.from] : []));
  for (const source of ['caller', 'calldata', 'balance', 'part', 'callvalue', 'storage'])
    if (from.includes(source)) return { from: source };
  return unknown;
}

import { type ReadCall, ReaderError } from './reader.ts';

/** Contracts answer more than they declare: old proxies do, and those that answer any call in one way. */
const SPARE_BYTES = 8_192;
const WORD_BYTES = 32;
/** Around the answer's digits, or in place of them where the node refuses. */
const ENVELOPE_BYTES = 16_384;
/** Of what declares no length, as much as is read of any call's answer. */
const MOST_BYTES = 524_288;

interface Declared {
  readonly type: string;
  readonly components?: readonly Declared[];
}

/**
 * How many bytes the answer to a call may have by what its ABI declares. What is longer is not decoded: that costs by the
 * word, and a contract returns tens of thousands of them.
 */
export function mostBytesOf(call: ReadCall): number {
  return Math.max(0, ...outputsOf(call).map((outputs) => lengthOf(outputs, call.most)));
}

function lengthOf(outputs: readonly Declared[], most: number | undefined): number {
  const [only, ...more] = outputs;
  if (most !== undefined && more.length === 0 && only?.type === 'bytes') return SPARE_BYTES + most;
  const words = outputs.reduce((sum, output) => sum + wordsOf(output), 0);
  return Math.min(MOST_BYTES, SPARE_BYTES + words * WORD_BYTES);
}

/** Infinite for what has no length of its own. */
function wordsOf({ type, components = [] }: Declared): number {
  const [, inner, size] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (inner !== undefined)
    return size === '' ? Infinity : Number(size) * wordsOf({ type: inner, components });
  if (type === 'string' || type === 'bytes') return Infinity;
  return type === 'tuple' ? components.reduce((sum, member) => sum + wordsOf(member), 0) : 1;
}

/** How long the node's answer to that may be, in hex within JSON. */
export function mostBytesOnTheWire(mostBytes: number): number {
  return 2 * mostBytes + ENVELOPE_BYTES;
}

/** @throws ReaderError reverted */
export function requireLength(answer: string, mostBytes: number): void {
  if (answer.length <= 2 + 2 * mostBytes) return;
  throw new ReaderError('reverted', `the contract answers more than is read: more than ${mostBytes} bytes`);
}

/** Whether the answer is one list. */
export function answersList(call: ReadCall): boolean {
  return outputsOf(call).every((outputs) => outputs.length === 1 && outputs[0]!.type.endsWith('[]'));
}

/** Of each function of that name. */
function outputsOf({ abi, functionName }: ReadCall): (readonly Declared[])[] {
  return abi.flatMap((item) =>
    item.type === 'function' && item.name === functionName ? [item.outputs] : [],
  );
}

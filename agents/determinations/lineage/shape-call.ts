/** A call of a contract's view function, written down in a table: `name(type value,…)(type name,…)`. */
export interface ShapeCall {
  readonly name: string;
  /** A value is a number, an address, or a name of {@link Bound}. */
  readonly inputs: readonly { readonly type: string; readonly value: string }[];
  /** The first words of the answer; `_` for one that is not looked at. */
  readonly outputs: readonly { readonly type: string; readonly name: string }[];
}

/** What an answer must be. */
export interface Condition {
  readonly name: string;
  readonly is: boolean;
  readonly value: bigint;
}

/** What is known by its name: words of 32 bytes as whole numbers. */
export type Bound = ReadonlyMap<string, bigint>;
export type Constant = string;

/** A view function as client libraries take it; every word of the answer is a number, whatever its type. */
interface ViewFunction {
  readonly type: 'function';
  readonly name: string;
  readonly stateMutability: 'view';
  readonly inputs: readonly { readonly name: string; readonly type: string }[];
  readonly outputs: readonly { readonly name: string; readonly type: string }[];
}

const MOST_CALLS = 5;
const CALL = /^([A-Za-z_]\w*)\(([^()]*)\)\(([^()]*)\)$/;
const TYPE = /^(?:address|bool|bytes32|uint(?:8|16|24|32|40|48|56|64|72|80|88|96|128|160|192|224|256))$/;
const LITERAL = /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
const NAME = /^[A-Za-z]\w*$/;

/**
 * @param known the names that are known before the first call
 * @returns the calls in order, and every name that is known after the last
 * @throws Error saying what is wrong
 */
export function readCalls(
  text: string,
  known: readonly Constant[],
): { readonly calls: readonly ShapeCall[]; readonly names: readonly string[] } {
  const names = [...known];
  const calls = text
    .split(';')
    .filter((one) => one.trim() !== '')
    .map((one) => {
      const call = readCall(one, names);
      names.push(...call.outputs.map((o) => o.name).filter((name) => name !== '_'));
      return call;
    });
  if (calls.length > MOST_CALLS) throw new Error(`at most ${MOST_CALLS} calls are made`);
  return { calls, names };
}

function readCall(text: string, known: readonly string[]): ShapeCall {
  const [, name, given, told] = CALL.exec(text.trim()) ?? [];
  if (name === undefined || given === undefined || told === undefined)
    throw new Error(`"${text.trim().slice(0, 80)}" is no call like name(type value)(type name)`);
  const inputs = pairs(given).map(([type, value]) => {
    if (!LITERAL.test(value) && !known.includes(value))
      throw new Error(`nothing tells ${value} before ${name}`);
    return { type, value };
  });
  const outputs = pairs(told).map(([type, result]) => {
    if (result !== '_' && !NAME.test(result)) throw new Error(`"${result}" is no name of a result`);
    return { type, name: result };
  });
  if (outputs.length === 0) throw new Error(`${name} must have a result`);
  return { name, inputs, outputs };
}

function pairs(text: string): [type: string, word: string][] {
  return text
    .split(',')
    .filter((one) => one.trim() !== '')
    .map((one) => {
      const [type = '', word = '', ...more] = one.trim().split(/\s+/);
      if (!TYPE.test(type)) throw new Error(`"${type}" must be address, bool, bytes32 or uint8 to uint256`);
      if (word === '' || more.length > 0) throw new Error(`"${one.trim()}" must be a type and one word`);
      return [type, word];
    });
}

/** @throws Error saying what is wrong */
export function readCondition(text: string, known: readonly string[]): Condition {
  const [, name, sign, value] = /^(\w+)(!?=)(\w+)$/.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (name === undefined || value === undefined || !LITERAL.test(value))
    throw new Error(`"${text.trim()}" is no condition like state=1 or loan!=0`);
  if (!known.includes(name)) throw new Error(`no call tells ${name}`);
  return { name, is: sign === '=', value: BigInt(value) };
}

export function holds(conditions: readonly Condition[], bound: Bound): boolean {
  return conditions.every(({ name, is, value }) => (bound.get(name) === value) === is);
}

/** The function as client libraries take it. */
export function viewOf({ name, inputs, outputs }: ShapeCall): ViewFunction {
  return {
    ...{ type: 'function', name, stateMutability: 'view' },
    inputs: inputs.map(({ type }) => ({ name: '', type })),
    outputs: outputs.map(() => ({ name: '', type: 'uint256' })),
  };
}

/** The arguments of a call, by what is known. */
export function argumentsOf({ inputs }: ShapeCall, bound: Bound): readonly unknown[] {
  return inputs.map(({ type, value }) => {
    const word = LITERAL.test(value) ? BigInt(value) : bound.get(value);
    if (word === undefined) throw new Error(`nothing tells ${value}`);
    if (type === 'bool') return word !== 0n;
    if (type === 'address') return addressIn(word) ?? badWord(value, type);
    if (type === 'bytes32') return `0x${word.toString(16).padStart(64, '0')}`;
    return fits(word, type) ? word : badWord(value, type);
  });
}

/**
 * What is known after a call.
 * @param answer as a client decoded it: one number, or one for each result
 * @throws Error where a word does not fit its type
 */
export function afterCall({ name, outputs }: ShapeCall, answer: unknown, bound: Bound): Map<string, bigint> {
  const words: readonly unknown[] = outputs.length === 1 ? [answer] : Array.isArray(answer) ? answer : [];
  const after = new Map(bound);
  for (const [i, output] of outputs.entries()) {
    const word = words[i];
    if (typeof word !== 'bigint' || !fits(word, output.type))
      throw new Error(`${name} answers another form than ${output.type}`);
    if (output.name !== '_') after.set(output.name, word);
  }
  return after;
}

/** Lower case; null for a word that is no address. */
export function addressIn(word: bigint): `0x${string}` | null {
  return word >> 160n === 0n ? `0x${word.toString(16).padStart(40, '0')}` : null;
}

function fits(word: bigint, type: string): boolean {
  if (type === 'bool') return word <= 1n;
  if (type === 'address') return addressIn(word) !== null;
  const bits = /^uint(\d+)$/.exec(type)?.[1];
  return bits === undefined || word >> BigInt(bits) === 0n;
}

function badWord(value: string, type: string): never {
  throw new Error(`${value} is no ${type}`);
}

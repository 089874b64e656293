import { defineProperty, get, isArray, ownKeys, TheTypeError } from './primordials.ts';

const DEEPEST = 32;
const MOST_VALUES = 50_000;

/** What cannot be read to its end cannot be judged. */
function unreadable(): never {
  throw new TheTypeError('Safe Handshake cannot read this request');
}

function put(target: object, key: PropertyKey, value: unknown): void {
  defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * A request as plain data, each part of it read once: what is judged is what the wallet gets, whatever a getter, a proxy
 * or the page changes afterwards. Functions and symbols are left out, as in JSON.
 * @throws TypeError for what is nested without end
 */
export function copyOf(value: unknown): unknown {
  const budget = { left: MOST_VALUES };
  return copyPart(value, 0, budget);
}

function copyPart(value: unknown, depth: number, budget: { left: number }): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) unreadable();
  const list = isArray(value);
  const copy: object = list ? [] : {};
  if (list) {
    const length = get(value, 'length');
    if (typeof length !== 'number' || length > MOST_VALUES) unreadable();
    for (let i = 0; i < length; i++) put(copy, i, copyPart(read(value, i, budget), depth + 1, budget));
    return copy;
  }
  const keys = ownKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (typeof key === 'string' && key !== '__proto__')
      put(copy, key, copyPart(read(value, key, budget), depth + 1, budget));
  }
  return copy;
}

function read(value: object, key: PropertyKey, budget: { left: number }): unknown {
  budget.left -= 1;
  if (budget.left < 0) unreadable();
  return get(value, key);
}

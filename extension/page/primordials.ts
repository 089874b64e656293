/**
 * What the language and the browser offer, taken before any script of the page ran: the page may replace all of it
 * afterwards. What runs in the page later uses these alone, and no method, iterator, `await` or spread that would look
 * one up again.
 */

type Method = (...args: never[]) => unknown;

export const { apply, construct, defineProperty, deleteProperty, get, getOwnPropertyDescriptor } = Reflect;
export const { getPrototypeOf, has, ownKeys } = Reflect;
export const { freeze, isFrozen } = Object;
export const { isArray } = Array;
export const objectPrototype = Object.prototype;
export const functionPrototype = Function.prototype;

/** A method as a function whose first argument is what it is called on. */
function free<M extends Method>(method: M) {
  return (self: ThisParameterType<M>, ...args: Parameters<M>): ReturnType<M> =>
    apply(method, self, args) as ReturnType<M>;
}

/** The getter of an accessor, as a function. */
function getter(prototype: object, name: string): (self: object) => unknown {
  const read = getOwnPropertyDescriptor(prototype, name)?.get as Method;
  return (self) => apply(read, self, []);
}

const exec = free(RegExp.prototype.exec);
export const matches = (pattern: RegExp, text: string): boolean => exec(pattern, text) !== null;

const TheWeakMap = WeakMap;
const TheWeakSet = WeakSet;
const weakMapGet = free(TheWeakMap.prototype.get);
const weakMapSet = free(TheWeakMap.prototype.set);
const weakSetHas = free(TheWeakSet.prototype.has);
const weakSetAdd = free(TheWeakSet.prototype.add);

export interface SafeMap<K extends object, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}
export function safeMap<K extends object, V>(): SafeMap<K, V> {
  const map = new TheWeakMap<K, V>();
  return {
    get: (key) => weakMapGet(map, key) as V | undefined,
    set: (key, value) => {
      weakMapSet(map, key, value);
    },
  };
}

export interface SafeSet {
  has(value: object): boolean;
  add(value: object): void;
}
export function safeSet(): SafeSet {
  const set = new TheWeakSet();
  return {
    has: (value) => weakSetHas(set, value),
    add: (value) => {
      weakSetAdd(set, value);
    },
  };
}

export const ThePromise = Promise;
export const TheProxy = Proxy;
export const TheError = Error;
export const TheTypeError = TypeError;
export const TheCustomEvent = CustomEvent;
export const TheMessageEvent = MessageEvent;
export const TheMessageChannel = MessageChannel;
export const promiseThen = free(Promise.prototype.then);
export const setTimer: typeof setTimeout = setTimeout.bind(window) as typeof setTimeout;

/** Calls back with what a promise of any kind came to; undefined where it failed. */
export function whenDone(value: unknown, then: (value: unknown) => void): void {
  const own = new ThePromise<unknown>((resolve) => resolve(value));
  promiseThen(
    own,
    (result: unknown) => then(result),
    () => then(undefined),
  );
}

export const addListener = free(EventTarget.prototype.addEventListener);
export const removeListener = free(EventTarget.prototype.removeEventListener);
export const dispatch = free(EventTarget.prototype.dispatchEvent);
export const stopNow = free(Event.prototype.stopImmediatePropagation);
export const detailOf = getter(CustomEvent.prototype, 'detail');
export const dataOf = getter(MessageEvent.prototype, 'data');
export const port1Of = getter(MessageChannel.prototype, 'port1') as (c: MessageChannel) => MessagePort;
export const port2Of = getter(MessageChannel.prototype, 'port2') as (c: MessageChannel) => MessagePort;
export const postToPort = free(MessagePort.prototype.postMessage) as (
  port: MessagePort,
  data: unknown,
) => void;
export const startPort = free(MessagePort.prototype.start);

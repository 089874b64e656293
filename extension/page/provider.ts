import { copyOf } from './copy.ts';
import type { Guard, WalletFunction } from './guard.ts';
import * as js from './primordials.ts';

/** What every wallet is asked by, under its names of EIP-1193 and before it. */
const ENTRANCES = ['request', 'send', 'sendAsync', 'sendBatch', 'requestBatch'];
const EVENTS = [
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'off',
  'removeListener',
];

export interface Providers {
  /** The only form of a wallet's provider that a page gets. The provider itself is guarded too. */
  guarded(provider: object): object;
  /** True for something that has `request`. */
  isProvider(value: unknown): value is object;
}

export function guardProviders(guard: Guard): Providers {
  const facades = js.safeMap<object, object>();
  const own = js.safeSet();
  const guardedFunctions = js.safeMap<object, WalletFunction>();
  const originals = js.safeMap<object, WalletFunction>();
  const patched = js.safeSet();

  const isProvider = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && typeof js.get(value, 'request') === 'function';

  /** A function of a wallet that judges first. Called on a facade, it serves the provider; on another, that one. */
  function guardedFunction(original: WalletFunction): WalletFunction {
    const known = guardedFunctions.get(original);
    if (known !== undefined) return known;
    const made = function (this: unknown, ...args: unknown[]): unknown {
      const provider = targets.get(this as object) ?? (this as object);
      return guard.call(provider, original, args);
    };
    guardedFunctions.set(original, made);
    guardedFunctions.set(made, made);
    originals.set(made, original);
    return made;
  }

  const targets = js.safeMap<object, object>();

  /** Replaces the ways in on the provider itself and on what it inherits: whoever gets hold of it has won nothing. */
  function patch(provider: object): void {
    for (
      let at: object | null = provider;
      at !== null && at !== js.objectPrototype;
      at = js.getPrototypeOf(at)
    ) {
      if (patched.has(at) || at === js.functionPrototype) continue;
      patched.add(at);
      for (let i = 0; i < ENTRANCES.length; i++) {
        const name = ENTRANCES[i]!;
        const there =
          js.getOwnPropertyDescriptor(at, name)?.value ?? (at === provider ? js.get(at, name) : undefined);
        if (typeof there === 'function') lock(at, name, guardedFunction(there as WalletFunction));
      }
    }
  }

  /** Returned to a page: primitives, plain data, and providers in their guarded form. Nothing else of a wallet's. */
  function outward(value: unknown, provider: object, facade: object): unknown {
    if (value === provider) return facade;
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (own.has(value)) return value;
    if (isProvider(value)) return guarded(value);
    if (isPromise(value)) {
      return new js.ThePromise((resolve, reject) => {
        js.promiseThen(
          value,
          (v: unknown) => resolve(outward(v, provider, facade)),
          (e: unknown) => reject(e),
        );
      });
    }
    return copyOf(value);
  }

  function eventFunction(name: string, provider: object, facade: object): WalletFunction {
    return (event, listener) => {
      const method = js.get(provider, name);
      if (typeof method !== 'function') return facade;
      js.apply(method as WalletFunction, provider, [event, listening(listener, facade)]);
      return facade;
    };
  }

  const listeners = js.safeMap<object, WalletFunction>();
  /** A page's listener, called on the facade and without anything of the wallet's own. */
  function listening(listener: unknown, facade: object): unknown {
    if (typeof listener !== 'function') return listener;
    const known = listeners.get(listener);
    if (known !== undefined) return known;
    const made = (...args: unknown[]) => {
      const given: unknown[] = [];
      for (let i = 0; i < args.length; i++) {
        const value = outward(args[i], facade, facade);
        js.defineProperty(given, i, { value, writable: true, enumerable: true, configurable: true });
      }
      js.apply(listener as WalletFunction, facade, given);
    };
    listeners.set(listener, made);
    return made;
  }

  function readMember(provider: object, key: string, facade: object): unknown {
    const value = js.get(provider, key);
    if (key === 'providers' && js.isArray(value)) return guardedList(value);
    if (key === '_metamask') return unlocked(value, facade);
    if (key[0] === '_') return undefined;
    if (typeof value !== 'function') return outward(value, provider, facade);
    for (let i = 0; i < ENTRANCES.length; i++)
      if (ENTRANCES[i] === key) return entrance(provider, value as WalletFunction);
    for (let i = 0; i < EVENTS.length; i++)
      if (EVENTS[i] === key) return eventFunction(key, provider, facade);
    if (key === 'enable')
      return () => js.apply(js.get(facade, 'request') as WalletFunction, facade, [CONNECT]);
    if (key === 'constructor') return undefined;
    return (...args: unknown[]) =>
      outward(guard.call(provider, value as WalletFunction, args), provider, facade);
  }

  /** As a page gets it: it serves this provider, however it is called. */
  function entrance(provider: object, value: WalletFunction): WalletFunction {
    const original = originals.get(value) ?? value;
    return (...args) => guard.call(provider, original, args);
  }

  function guardedList(list: readonly unknown[]): unknown[] {
    const result: unknown[] = [];
    for (let i = 0; i < list.length; i++) {
      const value = isProvider(list[i]) ? guarded(list[i] as object) : undefined;
      js.defineProperty(result, i, { value, writable: true, enumerable: true, configurable: true });
    }
    own.add(result);
    return result;
  }

  function unlocked(metamask: unknown, facade: object): unknown {
    if (typeof metamask !== 'object' || metamask === null) return undefined;
    const result = {
      isUnlocked: () => {
        const asked = js.get(metamask, 'isUnlocked');
        return typeof asked === 'function'
          ? outward(js.apply(asked as WalletFunction, metamask, []), metamask, facade)
          : undefined;
      },
    };
    own.add(result);
    return js.freeze(result);
  }

  function guarded(provider: object): object {
    if (own.has(provider)) return provider;
    const known = facades.get(provider);
    if (known !== undefined) return known;
    patch(provider);
    const cache = Object.create(null) as Record<string, { from: unknown; value: unknown } | undefined>;
    const facade: object = new js.TheProxy(
      {},
      {
        get(_target, key) {
          if (typeof key !== 'string' || key === 'then') return undefined;
          const from = js.get(provider, key);
          const kept = cache[key];
          if (kept !== undefined && kept.from === from && typeof from === 'function') return kept.value;
          const value = readMember(provider, key, facade);
          cache[key] = { from, value };
          return value;
        },
        has: (_target, key) => js.has(provider, key),
        set(_target, key, value) {
          const primitive = (typeof value !== 'object' && typeof value !== 'function') || value === null;
          if (primitive && typeof js.get(provider, key) !== 'function')
            js.apply(setOn, undefined, [provider, key, value]);
          return true;
        },
        deleteProperty: () => true,
        defineProperty: () => true,
      },
    );
    own.add(facade);
    facades.set(provider, facade);
    targets.set(facade, provider);
    return facade;
  }

  return { guarded, isProvider };
}

const CONNECT = js.freeze({ method: 'eth_requestAccounts', params: js.freeze([]) });
const setOn = Reflect.set;

/** A property that nobody can change back. Setting it is ignored, as scripts in strict mode would fail otherwise. */
export function lock(target: object, name: string, value: unknown): boolean {
  const enumerable = js.getOwnPropertyDescriptor(target, name)?.enumerable ?? true;
  return js.defineProperty(target, name, { get: () => value, set: ignore, enumerable, configurable: false });
}

function ignore(): void {}

function isPromise(value: object): value is Promise<unknown> {
  return value instanceof js.ThePromise;
}

import { asksWhat, type WalletCall } from '../methods.ts';
import type { Answer } from './channel.ts';
import { copyOf } from './copy.ts';
import { nameChain } from './name-chain.ts';
import * as js from './primordials.ts';

type AskJudge = (calls: readonly WalletCall[], chainId: unknown, then: (answer: Answer) => void) => void;

/** A function of a wallet as the wallet made it. */
export type WalletFunction = (...args: unknown[]) => unknown;

export interface Guard {
  /** Calls a function of a wallet; a request in its arguments that asks for something is judged first. */
  call(provider: object, original: WalletFunction, args: readonly unknown[]): unknown;
}

/** What a page is told whose request was refused (EIP-1193: the user rejected the request). */
const REJECTED = 4001;
const LONGEST_WAIT_MS = 2_000;

function refusal(message: string): Error {
  const error = new js.TheError(message);
  js.defineProperty(error, 'code', { value: REJECTED, enumerable: true });
  return error;
}

/** What is asked of a wallet, read once from the arguments of any of its functions. */
interface Reading {
  /** The arguments with each request replaced by its copy. */
  readonly args: unknown[];
  readonly calls: WalletCall[];
  /** The one that is asked for by itself, not inside another; its parameters are those in the arguments. */
  readonly alone: WalletCall | null;
  readonly callback: WalletFunction | null;
}

function append<T>(list: T[], value: T): void {
  js.defineProperty(list, list.length, { value, writable: true, enumerable: true, configurable: true });
}

/** A method and its parameters, wherever they stand in plain data: alone, in a batch, or inside another request. */
function findCalls(value: unknown, calls: WalletCall[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 6) return;
  const method = js.getOwnPropertyDescriptor(value, 'method')?.value as unknown;
  if (typeof method === 'string') {
    const params = js.getOwnPropertyDescriptor(value, 'params')?.value as unknown;
    if (asksWhat(method) !== null) append(calls, { method, params });
  }
  const keys = js.ownKeys(value);
  for (let i = 0; i < keys.length; i++) findCalls(js.get(value, keys[i]!), calls, depth + 1);
}

function readArguments(given: readonly unknown[]): Reading {
  const args: unknown[] = [];
  const calls: WalletCall[] = [];
  let callback: WalletFunction | null = null;
  let outer: WalletCall | undefined;
  for (let i = 0; i < given.length; i++) {
    const argument = given[i];
    if (typeof argument === 'function') {
      if (callback === null) callback = argument as WalletFunction;
      append(args, argument);
      continue;
    }
    const copy = copyOf(argument);
    const before = calls.length;
    findCalls(copy, calls, 0);
    if (isOuter(copy)) outer = calls[before];
    append(args, copy);
  }
  const method = args[0];
  if (typeof method === 'string' && asksWhat(method) !== null) {
    outer = { method, params: args[1] };
    append(calls, outer);
  }
  return { args, calls, callback, alone: calls.length === 1 ? (outer ?? null) : null };
}

/** Whether findCalls finds the request itself first, before any inside it. */
function isOuter(copy: unknown): boolean {
  if (typeof copy !== 'object' || copy === null) return false;
  const method = js.getOwnPropertyDescriptor(copy, 'method')?.value as unknown;
  return typeof method === 'string' && asksWhat(method) !== null;
}

export function openGuard(ask: AskJudge): Guard {
  // What a wallet's function asks of the wallet while it serves a request that was let through is that same request.
  let serving: readonly WalletCall[] | null = null;

  const serve = (provider: object, original: WalletFunction, { args, calls }: Reading): unknown => {
    const before = serving;
    serving = calls;
    try {
      return js.apply(original, provider, args);
    } finally {
      serving = before;
    }
  };

  return {
    call(provider, original, given) {
      const reading = readArguments(given);
      const { calls, alone, callback } = reading;
      if (calls.length === 0 || (serving !== null && sameCalls(serving, calls)))
        return js.apply(original, provider, reading.args);
      const judged = new js.ThePromise<unknown>((resolve, reject) => {
        chainOf(provider, original, (chainId) => {
          if (alone !== null) nameChain(alone, chainId);
          ask(calls, chainId, (answer) => {
            if (!answer.go) {
              const error = refusal(answer.message);
              if (callback === null) return reject(error);
              resolve(undefined);
              return js.apply(callback, undefined, [error, null]);
            }
            try {
              resolve(serve(provider, original, reading));
            } catch (error) {
              reject(error);
            }
          });
        });
      });
      return callback === null ? judged : undefined;
    },
  };
}

/** The chain that the wallet is on, as far as it says so at once. */
function chainOf(provider: object, original: WalletFunction, then: (chainId: unknown) => void): void {
  let done = false;
  const once = (chainId: unknown) => {
    if (done) return;
    done = true;
    then(typeof chainId === 'string' || typeof chainId === 'number' ? chainId : null);
  };
  js.setTimer(() => once(null), LONGEST_WAIT_MS);
  try {
    const request = js.get(provider, 'request');
    const asked = typeof request === 'function' ? request : original;
    js.whenDone(js.apply(asked as WalletFunction, provider, [{ method: 'eth_chainId', params: [] }]), once);
  } catch {
    once(null);
  }
}

function sameCalls(a: readonly WalletCall[], b: readonly WalletCall[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++)
    if (a[i]!.method !== b[i]!.method || !same(a[i]!.params, b[i]!.params)) return false;
  return true;
}

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = js.ownKeys(a);
  const others = js.ownKeys(b);
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const other = js.getOwnPropertyDescriptor(b, keys[i]!);
    if (other === undefined || !same(js.get(a, keys[i]!), other.value)) return false;
  }
  return true;
}

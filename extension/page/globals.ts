import * as js from './primordials.ts';
import type { Providers } from './provider.ts';

/** Where wallets put themselves for pages that do not listen for announcements. */
const NAMES = [
  'ethereum',
  'web3',
  'okxwallet',
  'phantom',
  'coinbaseWalletExtension',
  'coinbaseWalletProvider',
  'trustwallet',
  'trustWallet',
  'rabby',
  'rabbyWallet',
  'bitkeep',
  'binancew3w',
  'BinanceChain',
  'tokenpocket',
  'xfi',
  'SafePal',
  'safepalProvider',
  'enkrypt',
  'zerionWallet',
];
/** Where the provider hangs on what a wallet puts there. */
const INNER = ['ethereum', 'currentProvider', 'provider', 'Ethereum', 'providers'];

/**
 * Guards what stands at these names of the window, also what is put there later, by assignment or by definition. The
 * names cannot be configured by anybody else afterwards.
 */
export function guardGlobals({ guarded, isProvider }: Providers): void {
  const slots = Object.create(null) as Record<string, { value: unknown } | undefined>;

  function inward(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (isProvider(value)) return guarded(value);
    for (let i = 0; i < INNER.length; i++) {
      const part = js.get(value, INNER[i]!);
      if (isProvider(part)) js.apply(setOn, undefined, [value, INNER[i]!, guarded(part)]);
    }
    return value;
  }

  for (let i = 0; i < NAMES.length; i++) {
    const name = NAMES[i]!;
    const before = js.getOwnPropertyDescriptor(window, name);
    const slot = { value: inward(before === undefined ? undefined : js.get(window, name)) };
    const get = () => slot.value;
    const set = (value: unknown) => {
      slot.value = inward(value);
    };
    if (name !== 'ethereum' && before === undefined) {
      watchLater(name, inward);
      continue;
    }
    if (js.defineProperty(window, name, { get, set, enumerable: true, configurable: false }))
      slots[name] = slot;
  }
  followDefinitions((name, descriptor) => {
    const slot = slots[name];
    if (slot === undefined) return false;
    const { get } = descriptor;
    slot.value = inward(typeof get === 'function' ? js.apply(get, window, []) : descriptor.value);
    return true;
  });
}

const setOn = Reflect.set;

/** A name that says by being there which wallet this is: it appears when the wallet puts itself there. */
function watchLater(name: string, inward: (value: unknown) => unknown): void {
  js.defineProperty(window, name, {
    get: () => undefined,
    set: (value: unknown) => {
      js.defineProperty(window, name, {
        value: inward(value),
        writable: false,
        enumerable: true,
        configurable: false,
      });
    },
    enumerable: false,
    configurable: true,
  });
}

type Descriptor = PropertyDescriptor & ThisType<unknown>;

/** Wallets also define themselves on the window; a name that cannot be configured would make them fail. */
function followDefinitions(take: (name: string, descriptor: Descriptor) => boolean): void {
  const follow = (target: object, name: unknown, descriptor: unknown): boolean =>
    target === window &&
    typeof name === 'string' &&
    typeof descriptor === 'object' &&
    descriptor !== null &&
    take(name, descriptor as Descriptor);
  replace(
    Object,
    'defineProperty',
    (args) => follow(args[0] as object, args[1], args[2]),
    (args) => args[0],
  );
  replace(
    Reflect,
    'defineProperty',
    (args) => follow(args[0] as object, args[1], args[2]),
    () => true,
  );
}

function replace(
  owner: object,
  name: string,
  taken: (args: readonly unknown[]) => boolean,
  result: (args: readonly unknown[]) => unknown,
): void {
  const original = js.get(owner, name) as (...args: unknown[]) => unknown;
  const value = new js.TheProxy(original, {
    apply: (target, self, args: unknown[]) => (taken(args) ? result(args) : js.apply(target, self, args)),
  });
  js.defineProperty(owner, name, { value, writable: true, enumerable: false, configurable: true });
}

import type { Micro } from '../../money.ts';
import { DUST_USD } from '../wallet/money/flows.ts';

/** Payments outside of trade between two addresses, summed up. Addresses in lower case. */
export interface Paid {
  readonly from: string;
  readonly to: string;
  readonly usd: Micro;
}

/** Of a sum, what is whose. */
export type Part = readonly [name: string, usd: Micro];

/**
 * The payers of some addresses but for these themselves, each with what it paid: no dust.
 * @param into the payments by who was paid
 */
export function payersIn(
  into: ReadonlyMap<string, readonly Paid[]>,
): (addresses: readonly string[]) => readonly (readonly [string, Micro])[] {
  const payersOf = (addresses: readonly string[]) => {
    const own = new Set(addresses);
    const all = addresses.flatMap((a) => into.get(a) ?? []).filter((p) => !own.has(p.from));
    return [...summed(all, (p) => p.from)].filter(([, usd]) => usd >= DUST_USD);
  };
  const ofOne = once((address) => payersOf([address]));
  return (of) => (of.length === 1 ? ofOne(of[0]!) : payersOf(of));
}

/** Of what these payers paid in all, each one's share. */
export function shares(payers: readonly (readonly [string, Micro])[]): [string, number][] {
  const all = Number(totalOf(payers.map(([, usd]) => usd)));
  return payers.map(([payer, usd]) => [payer, Number(usd) / all]);
}

export function summed(payments: readonly Paid[], by: (p: Paid) => string): Map<string, Micro> {
  return byName(payments.map((p) => [by(p), p.usd]));
}

export function byName(parts: readonly Part[]): Map<string, Micro> {
  const sums = new Map<string, Micro>();
  for (const [name, usd] of parts) sums.set(name, (sums.get(name) ?? 0n) + usd);
  return sums;
}

export function totalOf(sums: readonly Micro[]): Micro {
  return sums.reduce((sum, usd) => sum + usd, 0n);
}

/** Works each answer out once. */
export function once<T>(of: (address: string) => T): (address: string) => T {
  const known = new Map<string, T>();
  return (address) => {
    const found = known.get(address) ?? of(address);
    known.set(address, found);
    return found;
  };
}

export function grouped(payments: readonly Paid[], by: (p: Paid) => string): Map<string, Paid[]> {
  const found = new Map<string, Paid[]>();
  for (const payment of payments) {
    const held = found.get(by(payment));
    if (held === undefined) found.set(by(payment), [payment]);
    else held.push(payment);
  }
  return found;
}

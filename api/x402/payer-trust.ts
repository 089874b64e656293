import { BoundedMap } from '../../runtime/bounded-map.ts';

/**
 * For which payers reading may begin before their payment is verified. A payer whose payment turns out bad loses this
 * for ten minutes; otherwise one paid cent would buy any number of readings.
 */
export interface PayerTrust {
  has(payer: string, now: Date): boolean;
  /** True for a payer who settled a payment in this process and has sent no bad one since. */
  knows(payer: string): boolean;
  paid(payer: string): void;
  lose(payer: string, now: Date): void;
}

const PAYERS = 10_000;
const LOST_MS = 600_000;

export function payerTrust(): PayerTrust {
  const lost = new BoundedMap<string, number>(PAYERS);
  const known = new BoundedMap<string, true>(PAYERS);
  return {
    has: (payer, now) => (lost.get(payer) ?? 0) <= now.getTime(),
    knows: (payer) => known.has(payer),
    paid(payer) {
      known.set(payer, true);
    },
    lose(payer, now) {
      known.delete(payer);
      lost.set(payer, now.getTime() + LOST_MS);
    },
  };
}

import { BoundedMap } from '../../runtime/bounded-map.ts';

/**
 * For which payers reading may begin before their payment is verified: for one payment of each at a time, as long as all
 * are good. Otherwise one paid cent would buy any number of readings.
 */
export interface PayerTrust {
  /**
   * Takes a payment. The reading ahead begins first, unless that of another payment of the payer, which is not taken yet,
   * has begun, or he has lost it: for ten minutes by a bad payment, and by any that was read ahead for and not taken.
   * @throws what `take` throws
   */
  reading<T>(of: ReadingAhead, take: () => Promise<T>): Promise<T>;
  /** True for a payer who settled a payment in this process and has sent no bad one since. */
  knows(payer: string): boolean;
  paid(payer: string): void;
  lose(payer: string, now: Date): void;
}

interface ReadingAhead {
  readonly payer: string;
  readonly now: () => Date;
  /** Begins to read; waits for nothing. */
  readonly ahead: () => void;
}

const PAYERS = 10_000;
const LOST_MS = 600_000;

export function payerTrust(): PayerTrust {
  const lost = new BoundedMap<string, number>(PAYERS);
  const known = new BoundedMap<string, true>(PAYERS);
  const reading = new Set<string>();
  return {
    async reading({ payer, now, ahead }, take) {
      if (reading.has(payer) || (lost.get(payer) ?? 0) > now().getTime()) return await take();
      reading.add(payer);
      try {
        ahead();
        return await take();
      } catch (error) {
        lost.set(payer, now().getTime() + LOST_MS);
        throw error;
      } finally {
        reading.delete(payer);
      }
    },
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

import { quantile } from './row.ts';

/** One thing that is measured: runs number `n` through to its end. */
export type Subject = (n: number) => Promise<unknown>;

export interface Times {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

export interface Effort {
  readonly rounds: number;
  /** One at a time, a round. */
  readonly single: number;
  /** By `callers` at once, a round. */
  readonly many: number;
  readonly callers: number;
}

/**
 * Times several subjects, which take turns in every round, so that a busy moment of the machine meets all of them; each
 * round another is first, because what the last one leaves to be done runs beside the next. A first round warms up.
 * Throughput is the median of the rounds'.
 */
export async function time(subjects: readonly Subject[], effort: Effort): Promise<Times[]> {
  const single = subjects.map((): number[] => []);
  const rates = subjects.map((): number[] => []);
  let n = 0;
  for (let round = -1; round < effort.rounds; round++) {
    const turns = subjects.map((_, k) => (k + round + 1) % subjects.length);
    for (const i of turns) {
      const subject = subjects[i]!;
      for (let k = 0; k < effort.single; k++) {
        const start = performance.now();
        await subject(n++);
        if (round >= 0) single[i]!.push(performance.now() - start);
      }
    }
    for (const i of turns) {
      const subject = subjects[i]!;
      const start = performance.now();
      const last = n + effort.many;
      const caller = async (): Promise<void> => {
        while (n < last) await subject(n++);
      };
      await Promise.all(Array.from({ length: effort.callers }, caller));
      if (round >= 0) rates[i]!.push(effort.many / ((performance.now() - start) / 1000));
    }
  }
  return subjects.map((_, i) => ({
    p50Ms: quantile(single[i]!, 0.5),
    p99Ms: quantile(single[i]!, 0.99),
    perSecond: quantile(rates[i]!, 0.5),
  }));
}

import { performance } from 'node:perf_hooks';

const MOVED_MS = 1_000;

/**
 * How far the clock on the machine's wall is from the one that nobody can set, milliseconds. The second stands still while
 * the machine is suspended.
 */
export function clocksApart(steady: () => number = () => performance.now()): number {
  return Date.now() - steady();
}

/**
 * Whether the machine may have been suspended since its clocks were so far apart. The wall's may have been set as well, so
 * this decides nothing: who is told so asks the database.
 */
export function maybeSuspended(apart: number, steady?: () => number): boolean {
  return Math.abs(clocksApart(steady) - apart) > MOVED_MS;
}

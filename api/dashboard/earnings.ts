import { formatUsd, parseUsd } from '../../agents/money.ts';

/** A deal that settled, as one of its sides sees it. */
export interface SettledDeal {
  readonly role: string;
  /** What the buyer paid in all, and what the seller got: each side's own fee is in it. */
  readonly paysUsd: number;
  readonly getsUsd: number;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** What sales brought and purchases cost. */
interface Sums {
  readonly earnedUsd: number;
  readonly spentUsd: number;
}

/** One bar of each kind: `at` is a day, 2026-11-21, or a month, 2026-11. */
interface Stretch extends Sums {
  readonly at: string;
}

/** The last thirty days, day by day, or the last twelve months, month by month. */
export const PERIODS = ['days', 'months'] as const;
export type Period = (typeof PERIODS)[number];

const LENGTH: Readonly<Record<Period, number>> = { days: 30, months: 12 };
const DAY_MS = 24 * 3_600_000;

/** What a sale brought after its fee; 0 for a purchase. */
export const earnedUsd = (d: SettledDeal): number => (d.role === 'seller' ? d.getsUsd : 0);
/** What a purchase cost with its fee; 0 for a sale. */
export const spentUsd = (d: SettledDeal): number => (d.role === 'buyer' ? d.paysUsd : 0);

const micro = (usd: number): bigint => parseUsd(usd, 'usd');
const toDollars = (amount: bigint): number => Number(formatUsd(amount));

/** The sums of some deals, exact to the micro-dollar. */
function sumsOf(deals: readonly SettledDeal[]): Sums {
  const sum = (of: (d: SettledDeal) => number) =>
    toDollars(deals.reduce((total, d) => total + micro(of(d)), 0n));
  return { earnedUsd: sum(earnedUsd), spentUsd: sum(spentUsd) };
}

/** The period that shows all deals, where one does: days while none is older than they are. */
export function periodOf(deals: readonly SettledDeal[], now: Date): Period {
  const [first = ''] = marks('days', now);
  return deals.some((d) => d.updatedAt.slice(0, first.length) < first) ? 'months' : 'days';
}

/** What was earned and spent in each day or month of a period, the oldest first. */
export function stretches(
  deals: readonly SettledDeal[],
  now: Date,
  period: Period = periodOf(deals, now),
): readonly Stretch[] {
  return marks(period, now).map((at) => ({ at, ...sumsOf(within(deals, [at])) }));
}

/** The sums of a period, and of the one as long before it. */
export function compared(
  deals: readonly SettledDeal[],
  now: Date,
  period: Period,
): { readonly now: Sums; readonly before: Sums } {
  return {
    now: sumsOf(within(deals, marks(period, now))),
    before: sumsOf(within(deals, marks(period, now, 1))),
  };
}

function within(deals: readonly SettledDeal[], days: readonly string[]): SettledDeal[] {
  const letters = days[0]?.length ?? 0;
  const asked = new Set(days);
  return deals.filter((d) => asked.has(d.updatedAt.slice(0, letters)));
}

/** The days or months of a period in UTC, the oldest first. @param back how many periods earlier */
function marks(period: Period, now: Date, back = 0): readonly string[] {
  const length = LENGTH[period];
  return Array.from({ length }, (_, i) => {
    const ago = length * (back + 1) - 1 - i;
    if (period === 'days') return new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7);
  });
}

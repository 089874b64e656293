import { describe, expect, it } from 'vitest';
import { capGauge } from './cap-gauge.ts';

describe('what is spent of a limit', () => {
  it('is told of the window that the contract reckons in: 24 hours and seven days to now, and the calendar month', () => {
    const limits = { cap_per_day: '200', cap_per_week: '500', cap_per_month: '900' };
    const { text } = capGauge(
      { side: 'buy', currency: 'USDC', expires_at: '2027-03-31T23:59:59Z', ...limits },
      {
        ...{ token: `0x${'ab'.repeat(20)}`, perDealUsd: null, balanceUsd: 20, spendableUsd: 10 },
        ...{ perDayUsd: 50, perWeekUsd: 350, perMonthUsd: 750, totalUsd: null },
      },
    );
    const told = text.replace(/<[^>]+>/g, '');
    expect(told.match(/\$150\.00 spent [a-z0-9 ]+?(?=of|\n|$)/g)).toEqual([
      '$150.00 spent in the last 24 hours',
      '$150.00 spent in the last 7 days',
      '$150.00 spent this month',
    ]);
  });
});

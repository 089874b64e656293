import { describe, expect, it } from 'vitest';
import { closeCallHours, type OrderSpan } from './close-calls.ts';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 8, 6, 12) + minutes * 60_000);
const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 100)) * 10_000n;
const span = (
  side: 'buy' | 'sell',
  limit: number,
  from: number,
  to: number | null,
  owner: string = side,
): OrderSpan => ({
  side,
  owner,
  limit: usd(limit),
  from: at(from),
  to: to === null ? null : at(to),
});

describe('a close call', () => {
  const close = [span('sell', 100, 0, 50), span('buy', 95, 10, 70)];

  it('is reported in the hour in which the later of the two orders left', () => {
    expect(closeCallHours(close)).toEqual([at(60)]);
  });

  it.each([
    ['crossed', [span('sell', 100, 0, 50), span('buy', 100, 10, 70)]],
    ['further apart than five percent', [span('sell', 100, 0, 50), span('buy', 94.99, 10, 70)]],
    ['together for less than a minute', [span('sell', 100, 0, 10.9), span('buy', 95, 10, 70)]],
    ['one after the other', [span('sell', 100, 0, 5), span('buy', 95, 10, 70)]],
    ['of one owner', [span('sell', 100, 0, 50, '0xA'), span('buy', 95, 10, 70, '0xa')]],
    ['of which one still rests', [span('sell', 100, 0, null), span('buy', 95, 10, 70)]],
    ['on the same side', [span('buy', 100, 0, 50, 'a'), span('buy', 95, 10, 70, 'b')]],
  ])('is not made by orders that are %s', (_, spans) => {
    expect(closeCallHours(spans)).toEqual([]);
  });

  it('needs one minute together, and no more', () => {
    expect(closeCallHours([span('sell', 100, 0, 11), span('buy', 95, 10, 70)])).toHaveLength(1);
  });

  it('is reported once an hour, however many pairs there are', () => {
    expect(closeCallHours([...close, span('buy', 96, 10, 65, 'c'), span('buy', 97, 0, 55, 'd')])).toEqual([
      at(0),
      at(60),
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { mandateHash } from '../../agents/mandate/terms/hash.ts';
import { acceptMandate } from '../../runtime/checkout/open-checkout.ts';
import { readBackAt } from '../../runtime/checkout/read-back-at.ts';
import { reviewPage } from './new-agent-page.ts';

const NOON = new Date('2026-11-27T12:00:00Z');
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const TEXT = 'Buy digital products, max 150 USDC per deal, for 30 days.';
const hashAt = (at: Date) => mandateHash(acceptMandate(TEXT, at));

describe('a mandate that counts from now', () => {
  const draft = {
    mandate: TEXT,
    handle: 'quay',
    owner: `0x${'ab'.repeat(20)}`,
    tier: 'AGENT',
    depth: '2-of-2',
  };

  it('is paid for as it was read back, and not as it would be read when it is paid', () => {
    const mandate = acceptMandate(TEXT, NOON);
    const { text } = reviewPage(draft, {
      ...{ mandate, hash: mandateHash(mandate), readAt: NOON.toISOString(), priceUsd: 5, open: null },
    });
    expect(text).toContain(hashAt(NOON));
    const carried = /name="readAt" value="([^"]+)"/.exec(text)?.[1];
    const paid = readBackAt(carried, later(20));
    expect(paid && hashAt(paid)).toBe(hashAt(NOON));
    expect(hashAt(later(20))).not.toBe(hashAt(NOON));
  });
});

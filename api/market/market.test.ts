import { expect, it } from 'vitest';
import type { MatchEntry } from '../../store/market/matches.ts';
import { matchRow } from './market.ts';

const at = new Date('2026-09-06T12:00:00Z');
const settling: MatchEntry = {
  ...{ matchId: 'mat_1', lot: 'serial:vin:X', category: 'digital-products', chain: 'eip155:1002' },
  ...{ price: 105_000_000n, matchedAt: at, settledAt: null, tx: null, state: 'settling' },
};

it('shows the clearing price of a match as long as it may stand, and none of one that came to nothing', () => {
  const settled: MatchEntry = { ...settling, state: 'settled', settledAt: at, tx: `0x${'1'.repeat(64)}` };
  expect(matchRow(settling)).toMatchObject({ state: 'settling', clearingPriceUsd: 105 });
  expect(matchRow(settled)).toMatchObject({ state: 'settled', clearingPriceUsd: 105 });
  const stopped = matchRow({ ...settling, state: 'stopped' });
  expect(stopped.state).toBe('stopped');
  expect(JSON.stringify(stopped)).not.toContain('105');
});

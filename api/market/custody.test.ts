import { describe, expect, it } from 'vitest';
import { NOBODY } from '../../agents/ids.ts';
import type { MatchRow } from '../shapes.ts';
import { custodyTimeline } from './custody.ts';

const [maker, first, account] = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`) as [string, string, string];
const tx = (n: number): string => `0x${String(n).repeat(64)}`;
const lot = { handle: 'quay-clearance', listedAt: '2026-11-21T07:00:00.000Z' };
const sale: MatchRow = {
  matchId: 'mat_1',
  lot: `eip155:1002/erc721:${maker}/1`,
  category: 'digital-products',
  chain: 'eip155:1002',
  state: 'settled',
  clearingPriceUsd: 80,
  matchedAt: lot.listedAt,
  settledAt: lot.listedAt,
  tx: tx(7),
};
const { tx: _none, ...unsettled } = sale;
const stopped: MatchRow = { ...unsettled, state: 'stopped' };
const moves = [
  { from: first, to: account, handle: 'quay', tx: tx(7), block: '40' },
  { from: maker, to: first, handle: null, tx: tx(6), block: '20' },
  { from: NOBODY, to: maker, handle: null, tx: tx(5), block: '9' },
];
const said = (text: string) => text.match(/<strong>[^<]+<\/strong>/g)?.map((s) => s.replace(/<[^>]+>/g, ''));

describe('who had a lot', () => {
  it('is told from now back to where it was made; a sale of this platform stands once, with its price', () => {
    const { text } = custodyTimeline(lot, [sale], { moves, more: false });
    expect(said(text)).toEqual(['For sale', 'Sold', 'Handed over', 'Made']);
    expect(text).toContain('$80.00</span> to <a href="/agent/quay">quay</a>');
    expect(text).toContain('Every holder since it was made');
  });

  it('says where holders are missing, and shows the deals that are known', () => {
    expect(custodyTimeline(lot, [sale], { moves: moves.slice(0, 1), more: true }).text).toContain(
      'earlier ones',
    );
    const unread = custodyTimeline(lot, [sale, stopped], null).text;
    expect(said(unread)).toEqual(['For sale', 'Sold', 'A deal was stopped']);
    expect(unread).not.toContain('Every holder');
  });
});

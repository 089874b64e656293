import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) => readMandate(text, '2026-12-01T00:00:00Z');

const TEXTS = [
  "Don't buy from x.eth. Otherwise buy gift cards, up to 40 USDC a deal, until 5 March 2027.",
  'Tickets cannot be bought. Wine, 40 USDC a deal, until 9 July 2027.',
  'Buy and sell music rights. When buying, pay 200 USDC at most per deal. When selling, take 90 USDC at least. Until 1 July 2027.',
  'Buy and sell wine until 31 March 2027. When buying, pay 200 USDC at most per deal. Take 90 USDC at least.',
  'The agent must not: pay over 90 USDC per deal, spend over 270 USDC per day. The agent may: buy flowers and tickets. Until 20 Feb 2027.',
  'Once a deal is above 300 USDC I want to be asked. Otherwise buy surplus up to 1,000 USDC per deal until 2027-02-28.',
  'Anything from x.eth or y.eth is out. Jewellery and watches are in, 700 USDC a deal, until 4 April 2027.',
  'Weekly ceiling first: 3,000 USDC. Then the deal ceiling: 750 USDC. Then the goods: clearance. Then the end: 7 May 2027.',
  'Buy wine, 50 USDC each, until 31 March 2027. Ask me above 20 USDC. Except from a.eth.',
  'Buy wine, 50 USDC each, until 31 March 2027. Ask me above 20 USDC. But only on Base.',
  'Buy wine, 50 USDC each, until 31 March 2027. Nothing stolen. 200 USDC a week from a.eth.',
  'Never on Base, on Polygon. Or on Solana. Buy wine, 50 USDC each, until 31 March 2027.',
];

describe('the signs that end a sentence', () => {
  it.each(TEXTS)('say the same where one is an exclamation mark: %s', (text) => {
    const plain = read(text);
    const mandate = plain.decision === 'ACCEPT' ? plain.mandate : null;
    for (const loud of waysToExclaim(text)) {
      const found = read(loud);
      expect([loud, found.decision === 'ACCEPT' ? found.mandate : null]).toEqual([loud, mandate]);
    }
  });
});

/** The text with one of its full stops as an exclamation mark, for each of them, and with all. */
function waysToExclaim(text: string): string[] {
  const stops = [...text.matchAll(/\.(?= |$)/g)].map(({ index }) => index);
  const one = stops.map((at) => `${text.slice(0, at)}!${text.slice(at + 1)}`);
  return [...one, text.replace(/\.(?= |$)/g, '!')];
}

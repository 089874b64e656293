import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mandateWords, profileWords, sessionWords } from './agent/agent-words.ts';
import {
  appealWords,
  coveredWalletsWords,
  disputeAppealWords,
  outcomeWords,
  settingsWords,
  subscribeWords,
  unsubscribeWords,
} from './checkout/wallet-words.ts';
import { instantWords, spanWords, usdWords } from './figures.ts';
import {
  certificateTransferWords,
  disputeReplyWords,
  disputeWords,
  listingWords,
  pledgeWords,
  releaseWords,
} from './market/goods-words.ts';
import { readListedAttributes } from './market/pricing/model/read-attributes.ts';
import { cancelWords, decisionsWords, decisionWords, orderWords } from './market/trade-words.ts';
import {
  nameAuctionWords,
  nameBidWords,
  nameListingWords,
  namePurchaseWords,
} from './names/name-market-words.ts';
import { codeText, quoted, STATEMENT_LENGTH, wordsUri } from './signed-text.ts';

const KEY = `eip155:1002/erc721:0x${'ab'.repeat(20)}/17`;
const LOT = { key: KEY, description: 'Fjord at Dusk' };
const NOON = new Date('2026-11-29T12:00:00.000Z');
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));

/** RFC 3986 characters and spaces, as EIP-4361 has it; no line end among them. */
const EIP4361 = /^[A-Za-z0-9 \-._~:/?#[\]@!$&'()*+,;=]+$/;

describe('the words that are signed', () => {
  it('say lot, price and end of an order', () => {
    const order = { handle: 'harbour-desk', lot: LOT, named: KEY, openingBid: null, expiresAt: NOON };
    expect(orderWords({ ...order, side: 'buy', limit: usd(130) })).toBe(
      `Buy 'Fjord at Dusk' (${KEY}) with agent harbour-desk for at most 130.00 USD, until 29 November 2026 12:00 UTC.`,
    );
    expect(
      orderWords({ ...order, side: 'buy', limit: usd(1130.5), openingBid: usd(50), expiresAt: null }),
    ).toBe(
      `Buy 'Fjord at Dusk' (${KEY}) with agent harbour-desk for at most 1,130.50 USD, for 7 days from now. Show 50.00 USD as the opening bid.`,
    );
    expect(orderWords({ ...order, side: 'sell', limit: usd(100) })).toBe(
      `Sell 'Fjord at Dusk' (${KEY}) with agent harbour-desk for at least 100.00 USD, until 29 November 2026 12:00 UTC.`,
    );
    expect(orderWords({ ...order, side: 'sell', limit: usd(100), expiresAt: null })).toBe(
      `Sell 'Fjord at Dusk' (${KEY}) with agent harbour-desk for at least 100.00 USD, until the order that it replaces would have ended.`,
    );
    expect(orderWords({ ...order, side: 'buy', limit: usd(1), lot: null, named: 'lst_1' })).toContain(
      'Buy what is listed as lst_1 with',
    );
  });

  it('say which order is taken back, and never its limit', () => {
    expect(cancelWords({ orderId: 'ord', handle: 'a-b', found: { side: 'sell', lot: LOT } })).toBe(
      `Take back order ord of agent a-b, to sell 'Fjord at Dusk' (${KEY}). Its listing ends with it.`,
    );
    expect(cancelWords({ orderId: 'ord', handle: 'a-b', found: null })).toBe(
      'Take back order ord of agent a-b.',
    );
  });

  it('say what was found, by which determination, where an owner decides on a deal', () => {
    const deal = {
      role: 'buyer',
      lot: LOT,
      price: usd(110),
      found: ['Counterparty wallet FLAGGED'],
      disputes: [],
    } as const;
    const of = { dealId: 'deal-1', handle: 'a-b', deal };
    expect(decisionWords({ ...of, decision: 'proceed' })).toBe(
      `Proceed with deal deal-1 of agent a-b, which buys 'Fjord at Dusk' (${KEY}) for 110.00 USD. Found: Counterparty wallet FLAGGED. I know what was found.`,
    );
    expect(decisionWords({ ...of, decision: 'stop', deal: { ...deal, found: [] } })).toBe(
      `Stop deal deal-1 of agent a-b, which buys 'Fjord at Dusk' (${KEY}) for 110.00 USD. Nothing was found against it.`,
    );
  });

  it('say that a thing is disputed where its deal is decided on, by the first of those who do and no number', () => {
    const [first, second] = ['dsp_1', 'dsp_2'].map((disputeId) => ({ disputeId }));
    const said = (found: string[], disputes: { disputeId: string }[]) =>
      decisionWords({
        ...{ decision: 'proceed', dealId: 'deal-1', handle: 'a-b' },
        deal: { role: 'buyer', lot: LOT, price: usd(110), found, disputes },
      }).split(' USD. ')[1];
    expect(said([], [first!])).toBe('Found: disputed, not decided (dsp_1). I know what was found.');
    const several = 'Found: Price INCONCLUSIVE, disputed, not decided (dsp_1). I know what was found.';
    expect(said(['Price INCONCLUSIVE'], [first!, second!])).toBe(several);
    expect(said(['Price INCONCLUSIVE'], [first!, second!, second!])).toBe(several);
  });

  it('say what a side of the sale of a name pays or gets in all, where it decides', () => {
    const lot = { key: 'serial:name:alice.x', description: null };
    const deal = { lot, price: usd(300), found: [], disputes: [] };
    const said = (role: 'buyer' | 'seller') =>
      decisionWords({ decision: 'proceed', dealId: 'deal-1', handle: 'a-b', deal: { ...deal, role } });
    expect(said('buyer')).toContain(' for 300.00 USD, 307.50 USD in all with the name fee. ');
    expect(said('seller')).toContain(' for 300.00 USD, of which it gets 292.50 USD after the name fee. ');
    const several = decisionsWords('proceed', [{ dealId: 'deal-1', deal: { ...deal, role: 'buyer' } }]);
    expect(several).toContain('for 307.50 USD');
  });

  it('say the lot and the price of each deal where an owner decides on several at once', () => {
    const deal = { role: 'buyer', lot: LOT, price: usd(110), found: [], disputes: [] } as const;
    const deals = [
      { dealId: 'deal-1', deal },
      { dealId: 'deal-2', deal: null },
    ];
    expect(decisionsWords('proceed', deals)).toBe(
      "Proceed with 2 deals, each told below: 'Fjord at Dusk' for 110.00 USD; deal-2. I know what was found.",
    );
    expect(decisionsWords('stop', deals.slice(0, 1))).toBe(
      "Stop 1 deal, each told below: 'Fjord at Dusk' for 110.00 USD.",
    );
  });

  it('say the ask of a listing, and have no place for its floor', () => {
    const listing = { handle: 'a-b', lot: LOT, ask: usd(120), negotiable: true, gate: 'deposit' } as const;
    expect(listingWords({ ...listing, attributes: null })).toBe(
      `Sell 'Fjord at Dusk' (${KEY}), held by the agent, with agent a-b at 120.00 USD, negotiable.`,
    );
  });

  it('say everything that is told of what is listed', () => {
    const attributes = {
      make: 'Ford',
      model: 'F-150',
      year: 2018,
      mileage: '75,000 km',
      title: "clean' (x)",
    };
    const listing = { handle: 'a-b', lot: LOT, ask: usd(120), negotiable: true, gate: 'deposit' } as const;
    expect(listingWords({ ...listing, attributes })).toBe(
      `Sell 'Fjord at Dusk' (${KEY}), told as 'make Ford, model F-150, year 2018, mileage 75,000 km, title clean[U+0027] (x)', held by the agent, with agent a-b at 120.00 USD, negotiable.`,
    );
  });

  it('say asset, purpose, lender and end of a pledge, and of its release', () => {
    const pledge = { key: KEY, listingRef: 'loan-2027-14', lender: `0x${'CD'.repeat(20)}`, until: NOON };
    expect(pledgeWords(pledge)).toBe(
      `Pledge ${KEY} for 'loan-2027-14', lender 0x${'cd'.repeat(20)}, due 29 November 2026 12:00 UTC. It ends when its lender releases it, and not by a date. No second listing or pledge of it stands meanwhile.`,
    );
    expect(pledgeWords({ ...pledge, lender: null, until: null })).toContain(
      'no lender named, no due day named. It ends when the wallet that pledges releases it, and not by a date.',
    );
    expect(releaseWords({ ...pledge, lender: 'North Bank', pledgeId: 'plg' })).toBe(
      `Release pledge plg of ${KEY}, made for 'loan-2027-14', lender 'North Bank'.`,
    );
  });

  it('say whose certificate goes where', () => {
    const to = `0x${'12'.repeat(20)}`;
    const moved = { tokenId: 7n, serial: 'serial:isbn:9780306406157', from: `0x${'34'.repeat(20)}`, to };
    expect(certificateTransferWords(moved)).toBe(
      `Transfer certificate 7 of serial:isbn:9780306406157 from 0x${'34'.repeat(20)} to ${to}. What is listed by it leaves the market.`,
    );
  });

  it('say which certificate is disputed, and quote what will be published', () => {
    const of = { tokenId: 7n, serial: 'serial:isbn:9780306406157' };
    expect(disputeWords({ ...of, grounds: "Wrong.' URI: https://evil", pieces: 1 })).toBe(
      "Dispute certificate 7 of serial:isbn:9780306406157 with 1 piece of evidence. My words are published: 'Wrong.[U+0027] URI: https://evil'.",
    );
    expect(disputeReplyWords({ ...of, disputeId: 'dsp_1', reply: 'It is mine.' })).toBe(
      "Reply to dispute dsp_1 of certificate 7 of serial:isbn:9780306406157. My words are published: 'It is mine.'.",
    );
    expect(disputeAppealWords({ recordId: 'rec_1', grounds: null })).toBe(
      'Contest record rec_1: the operator decides the dispute a second time.',
    );
  });

  it('say price and length on the name market', () => {
    const of = { name: 'alice.x', handle: 'a-b' };
    expect(nameListingWords({ ...of, ask: usd(300) })).toBe(
      "Sell the name 'alice.x' with agent a-b at 300.00 USD.",
    );
    const auction = {
      ...of,
      format: 'dutch',
      reserve: usd(100),
      start: usd(400),
      durationSeconds: 86_400,
    } as const;
    expect(nameAuctionWords(auction)).toBe(
      "Start a Dutch auction of the name 'alice.x' with agent a-b from 400.00 USD, not below 100.00 USD, for 1 day.",
    );
    expect(nameBidWords({ ...of, most: usd(250) })).toContain(
      'at most 250.00 USD. The name fee comes on top: 256.25 USD in all at most.',
    );
    expect(namePurchaseWords({ ...of, price: usd(300), fee: usd(7.5) })).toBe(
      "Buy the name 'alice.x' with agent a-b at its ask of 300.00 USD, and 7.50 USD name fee: 307.50 USD in all.",
    );
  });

  it('say what changes of an agent and of a wallet', () => {
    expect(mandateWords({ handle: 'a-b', text: 'Buy books.' })).toBe(
      "Propose a new mandate for agent a-b: 'Buy books.'. It holds once I sign its terms and the chain has them.",
    );
    expect(sessionWords('pause', 'a-b')).toContain('leave the book at once');
    expect(profileWords({ handle: 'a-b', displayName: '', depth: '1-of-1' })).toBe(
      'Change what agent a-b shows of itself: name none, depth 1-of-1.',
    );
    expect(settingsWords({ onFlagged: 'ask' })).toContain('let me decide');
    expect(settingsWords({ onInconclusive: 'proceed' })).toBe(
      'Go on with a deal of mine although its price, provenance or bidding could not be judged. This holds for every agent that this wallet owns.',
    );
    const both = settingsWords({ onFlagged: 'stop', onInconclusive: 'ask' });
    expect(both).toMatch(/^Stop every deal of mine that is FLAGGED\. Show me a deal whose price/);
    const many = Array.from({ length: 5 }, (_, i) => `0x${String(i).repeat(40)}`);
    expect(coveredWalletsWords({ add: many, remove: [] })).toContain('and 2 more.');
    expect(appealWords({ recordId: 'rec', grounds: 'I am not he' })).toContain("'I am not he'");
    expect(outcomeWords({ recordId: 'rec', outcome: 'fraudulent', kind: 'false-price', pieces: 1 })).toBe(
      'Say of record rec that it turned out fraudulent (false-price), with 1 piece of evidence. This is published.',
    );
    expect(subscribeWords({ host: 'hooks.test:8443', notifications: [] })).toBe(
      'Send signed messages about my agents and deals to hooks.test:8443: all news.',
    );
    expect(unsubscribeWords('hooks.test')).toContain('hooks.test');
  });
});

describe('a text of somebody else in what is signed', () => {
  it('is read as it is where it is plain, and shows what only looks plain', () => {
    expect(quoted('Café — “Größe” №5')).toBe("'Cafe - [U+201C]Grosse[U+201D] [U+2116]5'");
    expect(quoted('pаypal')).toBe("'p[U+0430]ypal'");
    expect(quoted('a\u202Eb\u200Bc')).toBe("'a[U+202E]b[U+200B]c'");
    expect(quoted('it\'s "x"\n\nURI: https://evil.test/\'', 99)).toBe(
      "'its [U+0022]x[U+0022] URI: https://evil.test/[U+0027]'",
    );
    expect(quoted('x'.repeat(90), 20)).toBe(`'${'x'.repeat(17)}...'`);
    expect(quoted('ы'.repeat(90), 20)).toBe("'[U+044B][U+044B]...'");
  });

  it('drops no sign on which its meaning hangs', () => {
    expect(quoted('Never pay more than 90% of market value', 99)).toBe(
      "'Never pay more than 90 percent of market value'",
    );
    expect(quoted('5 %, $200/day until 31/12/2027')).toBe("'5 percent, $200/day until 31/12/2027'");
    expect(quoted("Don't sell a.eth’s watch: ask me")).toBe("'Dont sell a.eths watch: ask me'");
    expect(quoted('a_b (c*d) e=f; g@h ~ i')).toBe("'a_b (c*d) e=f; g@h ~ i'");
    expect(quoted('a<b [c] \\d {e} `f` ^g |h', 99)).toBe(
      "'a[U+003C]b [U+005B]c[U+005D] [U+005C]d [U+007B]e[U+007D] [U+0060]f[U+0060] [U+005E]g [U+007C]h'",
    );
    expect(quoted('tab\tand\u0000nothing')).toBe("'tab and[U+0000]nothing'");
  });

  it('is another text wherever an ASCII sign is another', () => {
    const signs = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i));
    expect(new Set(signs.map((sign) => quoted(`a${sign}b`))).size).toBe(signs.length);
  });

  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          "'",
          '"',
          '\n',
          '\r\n',
          '\u2028',
          'URI: https://evil.test',
          'Nonce: 12345678',
          ' for at most 1.00 USD, until 1 January 2000 00:00 UTC.',
          `' (${KEY}) with agent evil for at least 0.01 USD, until 1 January 2000 00:00 UTC.`,
          '- urn:sha256:00',
          '\u202E',
          '[U+0041]',
          'а',
          '_',
          '%0A',
          '\ud800',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
  );

  it('stays one quotation on one line, whatever it holds: the rest of the sentence is as without it', () => {
    fc.assert(
      fc.property(anything, anything, (description, other) => {
        const key = codeText(other);
        const said = orderWords({
          ...{ side: 'buy', handle: 'a-b', named: KEY, openingBid: null, expiresAt: NOON },
          ...{ lot: { key: other, description }, limit: usd(130) },
        });
        expect(said).toMatch(EIP4361);
        expect(said.length).toBeLessThanOrEqual(STATEMENT_LENGTH);
        const [before, inside, after, ...more] = said.split("'");
        expect([before, after, more]).toEqual([
          'Buy ',
          ` (${key}) with agent a-b for at most 130.00 USD, until 29 November 2026 12:00 UTC.`,
          [],
        ]);
        expect(inside).toMatch(/^(?:[A-Za-z0-9 .,:;!?&+*=@#$/()_~-]|\[U\+[0-9A-F]{4,6}\])*$/);
        expect(key).toMatch(/^(?:[A-Za-z0-9.:/_-]|\[U\+[0-9A-F]{4,6}\])*$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('fits with every other act into one statement', () => {
    fc.assert(
      fc.property(anything, anything, anything, (one, two, three) => {
        const lot = { key: one, description: two };
        const pledge = { key: one, listingRef: two, lender: three, until: NOON };
        const found = Array.from({ length: 6 }, () => 'Provenance and stolen goods INCONCLUSIVE');
        const disputes = [0, 1].map(() => ({ disputeId: `dsp_${'0'.repeat(26)}` }));
        const handle = 'a'.repeat(32);
        const price = 10n ** 18n;
        const longest = readListedAttributes({
          make: 'm'.repeat(80),
          model: 'n'.repeat(80),
          trim: 'o'.repeat(52),
        });
        const all = [
          orderWords({
            side: 'buy',
            handle,
            lot,
            named: three,
            limit: price,
            openingBid: price,
            expiresAt: NOON,
          }),
          cancelWords({ orderId: three, handle, found: { side: 'sell', lot } }),
          decisionWords({
            decision: 'proceed',
            dealId: three,
            handle,
            deal: { role: 'seller', lot, price, found, disputes },
          }),
          decisionsWords(
            'proceed',
            Array.from({ length: 10 }, () => ({
              dealId: three,
              deal: { role: 'seller' as const, lot, price, found, disputes },
            })),
          ),
          decisionsWords(
            'proceed',
            Array.from({ length: 10 }, () => ({ dealId: three, deal: null })),
          ),
          listingWords({
            ...{ handle, lot, ask: price, negotiable: false },
            gate: 'owner-signed',
            attributes: longest,
          }),
          pledgeWords(pledge),
          releaseWords({ ...pledge, pledgeId: three }),
          certificateTransferWords({
            tokenId: 2n ** 256n - 1n,
            serial: one,
            from: `0x${'1'.repeat(40)}`,
            to: `0x${'2'.repeat(40)}`,
          }),
          disputeWords({ tokenId: 2n ** 256n - 1n, serial: one, grounds: two, pieces: 10 }),
          disputeReplyWords({ tokenId: 2n ** 256n - 1n, serial: one, disputeId: three, reply: two }),
          disputeAppealWords({ recordId: one, grounds: two }),
          nameListingWords({ name: one, handle, ask: price }),
          nameBidWords({ name: one, handle, most: price }),
          namePurchaseWords({ name: one, handle, price, fee: price }),
          mandateWords({ handle, text: one }),
          profileWords({ handle, displayName: one, about: two, depth: 'superconsensus' }),
          appealWords({ recordId: one, grounds: two }),
          outcomeWords({ recordId: one, outcome: 'fraudulent', kind: 'shill-bidding', pieces: 10 }),
          subscribeWords({ host: one, notifications: Array.from({ length: 6 }, () => two) }),
          unsubscribeWords(one),
        ];
        for (const said of all) {
          expect(said).toMatch(EIP4361);
          expect([said, said.length <= STATEMENT_LENGTH]).toEqual([said, true]);
          expect(wordsUri(said)).toMatch(/^urn:words:[A-Za-z0-9\-._~:/@!$&'()*+,;=%]+$/);
          const [, back = ''] = /^urn:words:(.+)$/.exec(wordsUri(said)) ?? [];
          expect(decodeURIComponent(back.replaceAll('_', ' '))).toBe(said);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('figures in words', () => {
  it('are exact and unambiguous', () => {
    expect([0n, 1n, 10_000n, 1_234_567_891_234n].map(usdWords)).toEqual([
      '0.00 USD',
      '0.000001 USD',
      '0.01 USD',
      '1,234,567.891234 USD',
    ]);
    expect(instantWords(new Date('2026-01-02T03:04:05.000Z'))).toBe('2 January 2026 03:04:05 UTC');
    expect([1, 60, 90, 7_200, 86_400, 604_800].map(spanWords)).toEqual([
      '1 second',
      '1 minute',
      '90 seconds',
      '2 hours',
      '1 day',
      '7 days',
    ]);
  });
});

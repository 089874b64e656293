import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const REF = '2026-12-01T00:00:00Z';
const buying = (text: string) =>
  readMandate(`Buy domain names, 50 USDC each, until 31 March 2027. ${text}.`, REF);

/** A name may be goods or a counterparty. To refuse dealing with it would not keep it from being bought or sold. */
describe('a name where names are traded', () => {
  it.each([
    'Not alice.eth',
    'Never buy alice.eth',
    'Skip alice.eth',
    'Everything but alice.eth',
    'Excluding alice.eth and bob.eth',
    'alice.eth is off limits',
    'Only alice.eth',
    'alice.eth is allowed',
  ])('is asked about without a word that makes it a counterparty: %s', (text) => {
    expect(buying(text)).toMatchObject({
      decision: 'REFUSE',
      questions: [{ reason: 'NOT_UNDERSTOOD', question: expect.stringContaining('one of the goods') }],
    });
  });

  it.each([
    'Sell domain names for at least 50 USDC until 31 March 2027. alice.eth is not for sale.',
    'Sell domain names except alice.eth for at least 50 USDC until 31 March 2027.',
    'Sell domains, never alice.eth, for at least 50 USDC until 31 March 2027.',
    'Sell digital products for at least 50 USDC until 31 March 2027. Never sell alice.eth.',
    'Buy digital products, 50 USDC each, until 31 March 2027. Do not buy alice.eth.',
  ])('is never taken for a counterparty: %s', (text) => {
    expect(readMandate(text, REF)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    ['Never deal with alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Not from alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Blocked sellers: alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Avoid the seller alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Never buy from alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Blacklist: alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Blocklist: alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Ban: alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['Allowlist: alice.eth', { counterparties_allow: ['alice.eth'] }],
    ['Whitelist: alice.eth', { counterparties_allow: ['alice.eth'] }],
    ['Trusted: alice.eth', { counterparties_allow: ['alice.eth'] }],
    ['Never pay alice.eth', { counterparties_deny: ['alice.eth'] }],
    ['From anyone but alice.eth', { counterparties_deny: ['alice.eth'] }],
    [
      'Avoid 0x1111111111111111111111111111111111111111',
      { counterparties_deny: ['0x1111111111111111111111111111111111111111'] },
    ],
  ])('is a counterparty where it is said to be one: %s', (text, mandate) => {
    expect(buying(text)).toMatchObject({ mandate });
  });

  it('is a counterparty where nothing is sold to it', () => {
    const found = readMandate(
      'Sell domain names, not to alice.eth, for at least 20 USDC each, until 31 March 2027.',
      REF,
    );
    expect(found).toMatchObject({ mandate: { counterparties_deny: ['alice.eth'] } });
  });

  it('is a counterparty where other goods are traded', () => {
    const found = readMandate('Buy wine, 50 USDC each, until 31 March 2027. Avoid alice.eth.', REF);
    expect(found).toMatchObject({ mandate: { counterparties_deny: ['alice.eth'] } });
  });
});

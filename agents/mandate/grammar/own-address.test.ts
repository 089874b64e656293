import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const ADDRESS = '0x1111111111111111111111111111111111111111';
const read = (text: string) =>
  readMandate(`Buy wine, 50 USDC each, until 31 March 2027. ${text}.`, '2026-12-01T00:00:00Z');

/** Whoever tells his own address does not say whom to deal with. */
describe('an address that may be the own one', () => {
  it.each([
    ...[
      'My address is NAME',
      'My address: NAME',
      'Our address: NAME',
      'My wallet is NAME',
      'My wallet: NAME',
    ],
    ...['My account is NAME', 'My wallet address is NAME', 'my wallet = NAME', 'Pay with my wallet NAME'],
    ...['Wallet: NAME', 'Address: NAME', 'Account: NAME', 'Wallet address: NAME', 'The wallet is NAME'],
    ...['My wallets: NAME, b.eth', 'My wallet is NAME only', 'My own wallet is NAME', 'The address: NAME'],
  ])('is asked about: %s', (text) => {
    for (const name of [ADDRESS, 'alice.eth'])
      expect(read(text.replace('NAME', name))).toMatchObject({ decision: 'REFUSE' });
  });

  it('is asked about in one sentence with the rest', () => {
    for (const own of ['my wallet is', 'wallet:', 'my address:'])
      expect(
        readMandate(
          `Buy wine, 50 USDC each, ${own} ${ADDRESS}, until 31 March 2027.`,
          '2026-12-01T00:00:00Z',
        ),
      ).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    ['Only from the wallet a.eth', { counterparties_allow: ['a.eth'] }],
    ['From wallet a.eth only', { counterparties_allow: ['a.eth'] }],
    ['Deal only with the address a.eth', { counterparties_allow: ['a.eth'] }],
    ['Allowed wallets: a.eth', { counterparties_allow: ['a.eth'] }],
    ['Trusted wallet: a.eth', { counterparties_allow: ['a.eth'] }],
    ['Seller address: a.eth', { counterparties_allow: ['a.eth'] }],
    ['Sellers: a.eth', { counterparties_allow: ['a.eth'] }],
    ['My supplier is a.eth', { counterparties_allow: ['a.eth'] }],
    ['Blocked wallets: a.eth', { counterparties_deny: ['a.eth'] }],
    ['Never deal with the wallet a.eth', { counterparties_deny: ['a.eth'] }],
    ['Never deal with my wallet a.eth', { counterparties_deny: ['a.eth'] }],
    ['Buy only from my wallet a.eth', { counterparties_allow: ['a.eth'] }],
  ])('is of the other party where words say so: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });
});

import { describe, expect, it } from 'vitest';
import { sha256Hex } from './canonical.ts';
import { misbinding, notOfSite } from './owner-message.ts';

const address = '0x5322fB19e6e3d8bD1Ac42Ef07b7E3F4B3c6b251d';
const url = new URL('https://handshake.example/order?dry=1');
const body = '{"askUsd":5}';
const to = { method: 'POST', url, body, address };

const message = (over: Partial<Record<'domain' | 'wallet' | 'uri' | 'method' | 'hash', string>> = {}) => {
  const {
    domain = url.host,
    wallet = address,
    uri = url.href,
    method = 'POST',
    hash = sha256Hex(body),
  } = over;
  return `${domain} wants you to sign in with your Ethereum account:
${wallet}

Sell for 5 USD.

URI: ${uri}
Version: 1
Chain ID: 1002
Nonce: 12345678
Issued At: 2026-11-21T12:00:00.000Z
Resources:
- urn:http:method:${method}
- ${uri}
- urn:sha256:${hash}`;
};
const asked = (text: string, salt?: string) => ({
  ...{
    message: text,
    nonce: '12345678',
    expiresAt: '',
    wallet: address,
    chainId: 1002,
    says: 'Sell for 5 USD.',
  },
  ...(salt === undefined ? {} : { salt }),
});

describe('a text that an owner is asked to sign', () => {
  it('is signed when it is for this site, wallet, method, address and body', () => {
    expect(misbinding(asked(message()), to)).toBeNull();
    expect(misbinding(asked(message({ domain: url.origin })), to)).toBeNull();
    expect(misbinding(asked(message({ hash: sha256Hex(`salt${body}`) }), 'salt'), to)).toBeNull();
  });

  it.each([
    ['another site', { domain: 'handshake.evil.example' }],
    ['another wallet', { wallet: '0x00000000000000000000000000000000000000aa' }],
    ['another address', { uri: 'https://handshake.example/order?dry=2' }],
    ['another method', { method: 'DELETE' }],
    ['another body', { hash: sha256Hex('{"askUsd":500}') }],
  ])('is not signed when it is for %s', (_, over) => {
    expect(misbinding(asked(message(over)), to)).not.toBeNull();
  });

  it('is of its site for every act of the site, and of no other', () => {
    expect(
      notOfSite(message({ uri: `${url.origin}/agents/pause`, hash: 'any' }), { url, address }),
    ).toBeNull();
    for (const over of [
      { domain: 'handshake.evil.example' },
      { wallet: '0x00000000000000000000000000000000000000aa' },
      { uri: 'https://handshake.example.evil.example/order' },
      { uri: 'https://evil.example/order' },
    ])
      expect(notOfSite(message(over), { url, address })).not.toBeNull();
    expect(notOfSite('Send everything to me', { url, address })).not.toBeNull();
  });

  it('is not signed when it names its address twice', () => {
    const twice = message().replace('Version: 1', 'URI: https://evil.example/\nVersion: 1');
    expect(misbinding(asked(twice), to)).not.toBeNull();
  });
});

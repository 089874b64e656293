import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { readAddress } from '../address.ts';
import type { ChainReading, WalletCommon } from '../wallet-evidence.ts';
import { deadEndOf, deadEnds } from './dead-ends.ts';

const zeros = (digits: string): string => `0x${digits.padStart(40, '0')}`;

describe('an address behind which nobody stands', () => {
  it.each([
    ['zero', zeros('')],
    ['burn', zeros('dead')],
    ['burn', zeros('dEaD')],
    ['burn', '0xdEAD000000000000000042069420694206942069'],
    ['burn', `0x${'e'.repeat(40)}`],
    ['burn', `0x${'F'.repeat(40)}`],
    ['precompile', zeros('1')],
    ['precompile', zeros('11')],
    ['precompile', zeros('100')],
    ['system', '0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02'],
    ['system', `0x42${zeros('7').slice(4)}`],
    ['system', '11111111111111111111111111111111'],
    ['published-key', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['published-key', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ['published-key', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'],
  ])('is told as %s: %s', (kind, address) => {
    expect(deadEndOf(address)).toMatchObject({ kind, source: expect.stringMatching(/./) });
  });

  it.each([
    '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    zeros('a11ce'),
    zeros('12'),
    '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    'So11111111111111111111111111111111111111112',
  ])('is not %s', (address) => {
    expect(deadEndOf(address)).toBeNull();
  });

  it('is found behind an account, too, and so is the contract of a dollar', () => {
    const reading = { chain: 'eip155:1002', principals: { owners: [zeros('dead')], unknown: null } };
    const facts = { chains: [{ ...reading, code: null } as unknown as ChainReading] };
    const token = { chain: 'eip155:1002', token: `0x${'ab'.repeat(20)}`, name: 'USDC' };
    const common = { address: token.token, tokens: [token], platform: [], sessionKeys: [zeros('1')] };
    expect(deadEnds(common as unknown as WalletCommon, facts).map((d) => [d.role, d.why.kind])).toEqual([
      ['it', 'token'],
      ['its owner', 'burn'],
      ['its session key', 'precompile'],
    ]);
  });
});

describe('what is no address', () => {
  it.each([
    ['vitalik.eth', 'a name cannot be asked about'],
    ['Пример.eth', 'a name cannot be asked about'],
    ['pay.vitalik.crypto', 'a name cannot be asked about'],
    ['https://etherscan.io/address/0x1', 'a URL cannot be asked about'],
    ['eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'chainId'],
    ['harbour-desk', '/agent/{handle}'],
    ['Ivan Petrov', 'a person or a company cannot be asked about by name'],
    ['PETROV, Ivan Ivanovich', 'give the address that they use'],
    ['Müller & Söhne GmbH', 'a person or a company cannot be asked about by name'],
    ['0x12', '0x and 40 hex digits'],
    ['', '0x and 40 hex digits'],
    [`0x${'ab'.repeat(32)}`, 'a private key, which nobody must be given'],
  ])('is told what can be asked: %s', (text, says) => {
    let told = '';
    try {
      readAddress(text);
    } catch (error) {
      expect(error).toMatchObject({ code: 'address-malformed' });
      told = (error as AppError).message;
    }
    expect(told).toContain(says);
    expect(told).not.toContain('ab'.repeat(32));
  });
});

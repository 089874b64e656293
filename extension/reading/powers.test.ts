import { decodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { readCall } from './read-call.ts';

const ME = `0x${'11'.repeat(20)}` as const;
const THEM = `0x${'ab'.repeat(20)}` as const;
const TOKEN = `0x${'cd'.repeat(20)}` as const;
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
]);
const MOST = 2n ** 256n - 1n;

function powersOf(message: object, verifyingContract: string = TOKEN, params: unknown[] = [ME]): unknown[] {
  const typed = { types: {}, primaryType: 'X', domain: { chainId: 1, verifyingContract }, message };
  const { powers } = readCall(
    { method: 'eth_signTypedData_v4', params: [...params, typed] },
    { host: 'shop.example', chainId: 1 },
  );
  return powers.map((power) => {
    if (typeof power === 'string') return power;
    const { to, from, data } = power.transaction;
    expect([from, power.spender]).toEqual([ME, THEM]);
    return [
      to,
      ...decodeFunctionData({ abi: ABI, data: data! }).args.map((arg) => String(arg).toLowerCase()),
    ];
  });
}

describe('the transaction that allows what a signature allows', () => {
  const until = 4102444800;
  const named = { owner: ME, spender: THEM, nonce: 0, deadline: until };
  it.each([
    ['a permit', { ...named, value: '5' }, [TOKEN, THEM, '5']],
    ['a permit of all', { ...named, value: `${MOST}` }, [TOKEN, THEM, `${MOST}`]],
    [
      'a permit of DAI',
      { holder: ME, spender: THEM, nonce: 0, expiry: 0, allowed: true },
      [TOKEN, THEM, `${MOST}`],
    ],
    ['a permit of one token', { spender: THEM, tokenId: '7', nonce: 0, deadline: until }, [TOKEN, THEM, '7']],
  ])('is approve of the token for %s', (_, message, call) => {
    expect(powersOf(message)).toEqual([call]);
  });

  const part = { token: TOKEN, amount: '5', expiration: until, nonce: 0 };
  const most = `${2n ** 160n - 1n}`;
  it.each([
    ['an allowance', { details: part, spender: THEM, sigDeadline: until }, [[TOKEN, THEM, '5', `${until}`]]],
    [
      'several',
      { details: [part, { ...part, token: ME, amount: most }], spender: THEM, sigDeadline: until },
      [
        [TOKEN, THEM, '5', `${until}`],
        [ME, THEM, most, `${until}`],
      ],
    ],
    [
      'a transfer',
      { permitted: { token: TOKEN, amount: `${MOST}` }, spender: THEM, nonce: 0, deadline: `${MOST}` },
      [[TOKEN, THEM, most, `${2n ** 48n - 1n}`]],
    ],
    [
      'several transfers',
      { permitted: [{ token: TOKEN, amount: '5' }], spender: THEM, nonce: 0, deadline: until },
      [[TOKEN, THEM, '5', `${until}`]],
    ],
  ])('is approve of Permit2 for %s', (_, message, calls) => {
    expect(powersOf(message, PERMIT2)).toEqual(calls.map((call) => [PERMIT2, ...call]));
  });

  it('is none where it would not be the same, or not of the account that signs', () => {
    for (const [message, contract, params] of [
      [{ ...named, value: '-1' }],
      [{ ...named, value: 'all' }],
      [{ ...named, value: '5', spender: 'them' }],
      [{ ...named, value: '5' }, 'none'],
      [{ ...named, value: '5', owner: THEM }],
      [{ ...named, value: '5' }, TOKEN, []],
      [{ ...named, value: '5' }, TOKEN, [ME, THEM]],
    ] as [object, string?, unknown[]?][])
      expect(powersOf(message, contract, params)).toEqual([expect.stringContaining('was not tried out')]);
  });

  it('is that of all where a permit of DAI says an amount besides', () => {
    const both = { holder: ME, spender: THEM, nonce: 0, expiry: 0, allowed: true, value: '0' };
    expect(powersOf(both)).toEqual([[TOKEN, THEM, `${MOST}`]]);
  });

  it('is none where nothing is allowed', () => {
    expect(powersOf({ ...named, value: '0' })).toEqual([]);
    expect(powersOf({ holder: ME, spender: THEM, allowed: false })).toEqual([]);
  });
});

import { decodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { readCall } from './read-call.ts';
import type { Reading } from './reading.ts';

const ME = `0x${'11'.repeat(20)}` as const;
const THEM = `0x${'ab'.repeat(20)}` as const;
const TOKEN = `0x${'cd'.repeat(20)}` as const;
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transfer(address to, uint256 amount)',
]);
const MOST = 2n ** 256n - 1n;

function readingOf(message: object, verifyingContract: string = TOKEN, params: unknown[] = [ME]): Reading {
  const typed = { types: {}, primaryType: 'X', domain: { chainId: 1, verifyingContract }, message };
  return readCall(
    { method: 'eth_signTypedData_v4', params: [...params, typed] },
    { host: 'shop.example', chainId: 1 },
  );
}

function powersOf(...given: Parameters<typeof readingOf>): unknown[] {
  return readingOf(...given).powers.map((power) => {
    if (typeof power === 'string') return power;
    const { to, from, data } = power.transaction;
    expect(from).toBe(ME);
    expect([THEM, null]).toContain(power.spender);
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

describe('a transfer of a token that is signed', () => {
  const sent = { from: ME, to: THEM, value: '5', validAfter: 0, validBefore: 4102444800, nonce: '0x01' };

  it('is tried out as the same transfer by its signer (EIP-3009)', () => {
    expect(powersOf(sent)).toEqual([[TOKEN, THEM, '5']]);
    expect(readingOf(sent).powers).toMatchObject([{ spender: null }]);
    for (const [message, contract] of [
      [{ ...sent, from: THEM }],
      [{ ...sent, to: 'them' }],
      [{ ...sent, value: '-1' }],
      [sent, 'none'],
    ] as [object, string?][])
      expect(powersOf(message, contract)).toEqual([expect.stringContaining('was not tried out')]);
  });

  it.each([
    ['UOP’s ForwardData', { from: ME, to: THEM, value: '5', nonce: 0 }],
    ['FanTicket’s Transfer', { from: ME, to: THEM, value: '5', nonce: 0, deadline: 4102444800 }],
    ['WETH10’s Transfer', { owner: ME, to: THEM, value: '5', nonce: 0, deadline: 4102444800 }],
    ['Paxos’ BetaDelegatedTransfer', { to: THEM, value: '5', fee: '1', seq: 0, deadline: 4102444800 }],
    ['one with data for whom gets it', { from: ME, to: THEM, value: '5', data: '0x', nonce: 0 }],
  ])('in a form of its own, as %s, is no payment of the chain’s coin, and cannot be read', (_, message) => {
    const reading = readingOf(message);
    expect(reading).toMatchObject({ whole: false, changes: [], powers: [], parties: [], subject: TOKEN });
    expect(reading.findings.map(({ text }) => text).join()).toContain(
      'What that allows cannot be read here.',
    );
  });

  it('is not what a forwarder or a Safe is asked to send', () => {
    const call = { to: THEM, value: '5', data: '0x', nonce: 0 };
    for (const message of [
      { ...call, from: ME, gas: '21000' },
      { ...call, operation: 0, safeTxGas: 0 },
    ])
      expect(readingOf(message)).toMatchObject({
        changes: [{ way: 'out', text: `5 wei goes to ${THEM}.` }],
        powers: [{ transaction: { to: THEM, value: '5' }, spender: null }],
      });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowReader } from '../provenance/register-row.ts';
import { addressIn, afterCall, argumentsOf, holds, viewOf } from './shape-call.ts';
import { readTokenContract } from './token-contract.ts';

const CONTRACT = `0x${'Ab'.repeat(20)}`;
const LENDER = {
  ...{ role: 'lender', chainid: '1', contract: CONTRACT, open: 'loan!=0' },
  calls: 'loanOf(address collection,uint256 tokenId)(uint256 loan)',
};
const WRAPPER = { role: 'wrapper', chainid: '1', contract: CONTRACT, underlying: `0x${'1'.repeat(40)}` };

describe('a row of the table of contracts', () => {
  it('is imported under its role, chain and contract, from CSV and from JSON lines', () => {
    const csv = rowReader('token-contracts', 'csv');
    expect(csv('role,chainId,contract,calls,open', 1)).toBeNull();
    const key = `lender:eip155:1/${CONTRACT.toLowerCase()}`;
    expect(csv(`lender,1,${CONTRACT},"${LENDER.calls}",loan!=0`, 2)).toMatchObject({ key });
    const json = rowReader('token-contracts', 'jsonl')(JSON.stringify({ ...LENDER, chainId: 1 }), 1);
    expect(json).toMatchObject({ key, detail: { calls: LENDER.calls, chainid: '1' } });
    expect(readTokenContract(json!.detail)).toEqual(readTokenContract(LENDER));
  });

  it.each([
    ['role must be', { ...LENDER, role: 'bank' }],
    ['chainId', { ...LENDER, chainid: '1.5' }],
    ['contract must be', { ...LENDER, contract: '0x12' }],
    ['how the contract tells', { ...LENDER, calls: '' }],
    ['open must say', { ...LENDER, open: '' }],
    ['no call tells', { ...LENDER, open: 'state=1' }],
    ['no condition', { ...LENDER, open: 'loan>0' }],
    ['nothing tells loan', { ...LENDER, calls: 'get(uint256 loan)(uint8 state)' }],
    ['a call must tell the loan', { ...LENDER, calls: 'get(uint256 tokenId)(bool state)', open: 'state=1' }],
    ['must be address, bool', { ...LENDER, calls: 'get(string tokenId)(uint256 loan)' }],
    ['no call like', { ...LENDER, calls: 'get tokenId' }],
    ['must have a result', { ...LENDER, calls: 'get(uint256 tokenId)()' }],
    ['at most', { ...LENDER, calls: Array(6).fill(LENDER.calls).join(';') }],
    ['loanAt', { ...LENDER, started: 'Begun(uint256)', loanat: 'topic0' }],
    ['signature of an event', { ...LENDER, started: 'Begun', loanat: 'data0' }],
    ['underlying must be', { ...WRAPPER, underlying: '' }],
    ['twinId', { ...WRAPPER, twin: 'twinOf(uint256 tokenId)(uint256 other)' }],
  ])('is refused where %s', (says, row) => {
    expect(() => readTokenContract(row)).toThrow(says);
  });

  it('locks its originals up where the twins are, unless it says where', () => {
    const locker = `0x${'2'.repeat(40)}`;
    expect(readTokenContract(WRAPPER)).toMatchObject({
      locker: CONTRACT.toLowerCase(),
      underlyingChainId: 1,
    });
    const bridge = readTokenContract({ ...WRAPPER, role: 'bridge', locker, underlyingchainid: '10' });
    expect(bridge).toMatchObject({ locker, underlyingChainId: 10, chainId: 1 });
  });
});

describe('a call of a row', () => {
  const [call] = readTokenContract({
    ...LENDER,
    calls: 'get(address collection,uint256 tokenId,bool 1)(uint8 state,address _,uint256 loan)',
  }).calls;

  it('is made with what is known, and every word of the answer is a number to both clients', () => {
    const bound = new Map([
      ['collection', 0xabn],
      ['tokenId', 7n],
    ]);
    expect(argumentsOf(call!, bound)).toEqual([`0x${'ab'.padStart(40, '0')}`, 7n, true]);
    expect(viewOf(call!).outputs.map((o) => o.type)).toEqual(['uint256', 'uint256', 'uint256']);
    const after = afterCall(call!, [1n, 5n, 9n], bound);
    expect([after.get('state'), after.get('loan'), after.has('_')]).toEqual([1n, 9n, false]);
    expect(holds([{ name: 'state', is: true, value: 1n }], after)).toBe(true);
    expect(holds([{ name: 'never', is: true, value: 1n }], after)).toBe(false);
  });

  it('has no answer where a word does not fit its type, or is missing', () => {
    for (const answer of [[256n, 5n, 9n], [1n, 1n << 160n, 9n], [1n, 5n], 1n, null, ['1', 5n, 9n]])
      expect(() => afterCall(call!, answer, new Map())).toThrow('another form');
  });

  it('reads the same address back from every word that is one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (word) => {
        const address = addressIn(word);
        expect(address === null ? word >> 160n > 0n : BigInt(address) === word).toBe(true);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { stateRootOf } from './block-header.ts';

const EMPTY = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const ZERO = `0x${'00'.repeat(32)}`;
/** Block 0 of Ethereum, as a node tells it. */
const GENESIS = {
  parentHash: ZERO,
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: `0x${'00'.repeat(20)}`,
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: EMPTY,
  receiptsRoot: EMPTY,
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x400000000',
  number: '0x0',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: ZERO,
  nonce: '0x0000000000000042',
};
const PIN = {
  number: 0n,
  hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
} as const;

describe('the header of a block', () => {
  it('gives the root of the state where it has the hash of the block', () => {
    expect(stateRootOf(GENESIS, PIN)).toBe(GENESIS.stateRoot);
    expect(stateRootOf({ ...GENESIS, baseFeePerGas: null }, PIN)).toBe(GENESIS.stateRoot);
  });

  it.each([
    ['another state root', { stateRoot: EMPTY }],
    ['another time', { timestamp: '0x1' }],
    ['a field that the block does not have', { baseFeePerGas: '0x7' }],
    ['no miner', { miner: undefined }],
    ['words for a number', { number: 'none' }],
  ])('is refused with %s', (_, changed) => {
    expect(() => stateRootOf({ ...GENESIS, ...changed }, PIN)).toThrow(
      expect.objectContaining({
        kind: 'disagreeing',
        message: expect.stringContaining('block 0 is not that of'),
      }),
    );
  });

  it('is looked for again where the node lacks the block', () => {
    expect(() => stateRootOf(null, PIN)).toThrow(expect.objectContaining({ kind: 'reorganised' }));
  });
});

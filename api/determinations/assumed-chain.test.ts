import { expect, it } from 'vitest';
import { assumedChain } from './assumed-chain.ts';

const TOKEN = { contract: `0x${'11'.repeat(20)}`, tokenId: '17' };

it('says which things are taken to be on the home chain, because no chain is named for them', () => {
  expect(assumedChain({ asset: TOKEN, proposal: { asset: TOKEN } })).toBe(
    'asset, proposal.asset: no chainId is given, and eip155:1002 is judged.',
  );
  expect(assumedChain({ subject: TOKEN })).toContain('subject: no chainId');
  expect(assumedChain({ asset: { ...TOKEN, chainId: 1002 }, subject: { serial: 'FRAME 91-1' } })).toBeNull();
  expect(assumedChain({})).toBeNull();
});

import { zeroAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { readName } from '../../agents/names/name.ts';
import { nameTokensOf } from '../../chain/clients/name-tokens.ts';
import { readConfig } from '../config/config.ts';

const contract = `0x${'ab'.repeat(20)}`;
const config = readConfig({
  NAME_TOKENS: `eth=${contract.toUpperCase().replace('0X', '0x')}, crypto=0x${'cd'.repeat(20)}`,
});

const none = { chainId: 1002, namesA: zeroAddress, namesB: zeroAddress };
const configured = (name: string) => nameTokensOf(none, config.nameTokens, readName(name)).configured;

describe('what a name is on chain', () => {
  it('is the token of its provider by the hash of its one spelling, where there is one', () => {
    // EIP-137 gives this hash for foo.eth.
    const id = BigInt('0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f').toString();
    for (const spelled of ['foo.eth', 'FOO.ETH'])
      expect(configured(spelled)).toEqual({
        kind: 'token',
        chainId: 1002,
        contract,
        tokenId: id,
      });
  });

  it('is not said by the configuration anywhere else', () => {
    for (const name of ['foo.x', 'eth']) expect(configured(name)).toBeNull();
  });
});

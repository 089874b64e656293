import { decodeFunctionData, erc20Abi, erc721Abi } from 'viem';
import { describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../chain/abi/agent-account.ts';
import { settled, transactionOf } from './transactions.ts';
import type { Provider } from './wallet.ts';

const at = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const;
const [wallet, account, token, settlement, contract] = [at(1), at(2), at(3), at(4), at(5)];
const about = { wallet, account, token, settlement, handle: 'desk' };
const typed = { amount: '12.50', contract, tokenId: '7' };
const sent = (kind: string, more = {}) => {
  const { to, data, says } = transactionOf({ ...typed, kind, ...more }, about);
  return { to, data: data as `0x${string}`, says };
};

describe('a transaction of an owner', () => {
  it('funds the account, and says so in the same figures', () => {
    const { to, data, says } = sent('fund');
    expect(to).toBe(token);
    expect(decodeFunctionData({ abi: erc20Abi, data }).args).toEqual([account, 12_500_000n]);
    expect(says).toBe('Send 12.50 dollars to the account of desk.');
  });

  it('withdraws to the wallet that asks, through the account’s own door', () => {
    const { to, data } = sent('withdraw');
    expect(to).toBe(account);
    const { functionName, args } = decodeFunctionData({ abi: agentAccountAbi, data });
    expect([functionName, args?.[0], args?.[1], args?.[3]]).toEqual(['execute', token, 0n, 0]);
    const inner = decodeFunctionData({ abi: erc20Abi, data: args?.[2] as `0x${string}` });
    expect(inner).toEqual({ functionName: 'transfer', args: [wallet, 12_500_000n] });
  });

  it('deposits a token, and approves one for the settlement alone', () => {
    const deposit = sent('deposit');
    expect(deposit.to).toBe(contract);
    expect(decodeFunctionData({ abi: erc721Abi, data: deposit.data }).args).toEqual([wallet, account, 7n]);
    expect(decodeFunctionData({ abi: erc721Abi, data: sent('approve').data })).toEqual({
      functionName: 'approve',
      args: [settlement, 7n],
    });
  });

  it.each(['', '-1', '1e3', '1.1234567', 'ten'])('moves nothing for the amount "%s"', (amount) => {
    expect(() => sent('fund', { amount })).toThrow('Write an amount such as 12.50.');
  });

  it.each(['', 'abc', '-1', '0x7', '1.5', '9'.repeat(78)])('moves no token numbered "%s"', (tokenId) => {
    for (const kind of ['deposit', 'approve'])
      expect(() => sent(kind, { tokenId })).toThrow(/^Write the number of the token in digits/);
  });

  it('goes to no contract that is no address', () => {
    expect(() => sent('approve', { contract: 'desk' })).toThrow(/^Write the contract of the token/);
  });

  it('has happened only once the chain has it, and did what it was to do', async () => {
    const answers = [null, { status: '0x1' }];
    const wait: Provider = { request: async () => answers.shift() };
    expect(await settled(wait, '0x1')).toBe(true);
    expect(await settled({ request: async () => ({ status: '0x0' }) }, '0x1')).toBe(false);
  });

  it('is unknown, never failed, while the chain does not show it: looks that fail are no answer', async () => {
    const look = (request: Provider['request']) => settled({ request }, '0x1', async () => {});
    const refuse = async () => {
      throw new Error('the node does not answer');
    };
    expect(await look(async () => null)).toBe(null);
    expect(await look(refuse)).toBe(null);
    expect(await look(async () => ({}))).toBe(null);
    let looks = 0;
    expect(await look(async () => (++looks < 3 ? refuse() : { status: '0x1' }))).toBe(true);
  });
});

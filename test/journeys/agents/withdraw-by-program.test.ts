import { createWalletClient, erc20Abi, type Hex, http, publicActions } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handshake } from '../../../client/client.ts';
import { expectStatus } from '../../../runtime/cli/demo/client.ts';
import { expectProblem, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

let stage: WireStage;
let owner: PrivateKeyAccount;
let agent: WireAgent;

beforeAll(async () => {
  stage = await wireStage();
  owner = await stage.owner();
  agent = await stage.agent(owner);
  await stage.moveUsd(owner, agent.account, '20');
});
afterAll(() => stage.stop());

const path = (act: string, query: string) => `/agent/${agent.handle}/transactions/${act}?${query}`;
const walletOf = (account: PrivateKeyAccount) =>
  createWalletClient({ account, transport: http(stage.rpcUrl) }).extend(publicActions);
const dollarsOf = (holder: Hex) =>
  walletOf(owner).readContract({
    ...{ address: stage.usdc, abi: erc20Abi },
    ...{ functionName: 'balanceOf', args: [holder] },
  });

/** Sends what was prepared, as a stock client does: whatever the answer names, and nothing beside it. */
async function send(by: PrivateKeyAccount, told: { to: string; data: string; value: string }) {
  const wallet = walletOf(by);
  const call = { to: told.to as Hex, data: told.data as Hex, value: BigInt(told.value) };
  const hash = await wallet.sendTransaction({ ...call, chain: null });
  return await wallet.waitForTransactionReceipt({ hash });
}

describe('a program of the owner', () => {
  it('takes the money out of an agent: it asks for the transaction, sends it, and the owner has the money', async () => {
    const told = expectStatus(await stage.api.get(path('withdraw', 'amountUsd=12.50')), 200, 'preparing');
    expect(told).toEqual({
      ...{ handle: agent.handle, chainId: 1002, from: owner.address.toLowerCase(), to: agent.account },
      ...{ value: '0', data: expect.stringMatching(/^0x([0-9a-f]{2})+$/) },
      says: `Take 12.50 dollars out of the account of ${agent.handle}, to your wallet.`,
    });
    const before = await dollarsOf(owner.address);
    expect((await send(owner, told)).status).toBe('success');
    expect([(await dollarsOf(owner.address)) - before, await dollarsOf(agent.account)]).toEqual([
      12_500_000n,
      7_500_000n,
    ]);
    // Whoever else sends it takes nothing: the account asks who its owner is.
    await expect(send(await stage.owner(), told)).rejects.toThrow(/reverted/);
  });

  it('does so by the library, too, with amounts as numbers', async () => {
    const service = handshake(stage.baseUrl);
    const told = await service.call('agent-withdraw', {
      path: { handle: agent.handle },
      query: { amountUsd: 7.5 },
    });
    expect((await send(owner, told)).status).toBe('success');
    expect(await dollarsOf(agent.account)).toBe(0n);
  });

  it('funds, deposits and approves in the same way', async () => {
    const funding = expectStatus(await stage.api.get(path('fund', 'amountUsd=3')), 200, 'preparing');
    // Anybody may fund.
    expect(funding.from).toBe(null);
    expect((await send(await stage.owner(), funding)).status).toBe('success');
    expect(await dollarsOf(agent.account)).toBe(3_000_000n);
    for (const act of ['approve', 'deposit']) {
      const { contract, tokenId } = await stage.mintTo(owner.address);
      const asked = await stage.api.get(path(act, `contract=${contract}&tokenId=${tokenId}`));
      const told = expectStatus(asked, 200, 'preparing');
      expect([told.from, told.to]).toEqual([owner.address.toLowerCase(), contract]);
      expect((await send(owner, told)).status).toBe('success');
    }
  });

  it.each([
    ['withdraw', '', 'amountUsd'],
    ['withdraw', 'amountUsd=-1', 'amountUsd'],
    ['withdraw', 'amountUsd=1e3', 'amountUsd'],
    ['withdraw', 'amountUsd=1.1234567', 'amountUsd'],
    ['withdraw', 'amountUsd=1&amountUsd=2', 'amountUsd'],
    ['deposit', 'contract=0x12&tokenId=1', 'contract'],
    ['approve', `contract=0x${'1'.repeat(40)}&tokenId=${'9'.repeat(78)}`, 'tokenId'],
  ])('is told which field of %s is wrong in "%s"', async (act, query, field) => {
    const answer = await stage.api.get(path(act, query));
    expectProblem(answer, 400, 'bad-request');
    expect(answer.body.errors.map((e: { path: string }) => e.path)).toEqual([field]);
  });

  it('finds no transaction of an agent that is not there, and none of an act that is none', async () => {
    expectProblem(await stage.api.get('/agent/no-such/transactions/withdraw?amountUsd=1'), 404, 'not-found');
    expectProblem(await stage.api.get(path('steal', 'amountUsd=1')), 404, 'not-found');
  });
});

describe('a browser', () => {
  it('has what was pasted with a space around it read without', async () => {
    for (const pasted of ['%2012.5', '12.5+', '%0912.5%0A']) {
      const told = expectStatus(
        await stage.api.get(path('withdraw', `amountUsd=${pasted}`)),
        200,
        'preparing',
      );
      expect(told.says).toContain('Take 12.5 dollars out');
    }
    const { contract, tokenId } = await stage.mintTo(owner.address);
    const query = `contract=%20${contract}&tokenId=${tokenId}%20`;
    expect(expectStatus(await stage.api.get(path('deposit', query)), 200, 'preparing').to).toBe(contract);
    expectProblem(await stage.api.get(path('withdraw', 'amountUsd=1%202')), 400, 'bad-request');
  });

  it('gets the page of the same transaction at the same address', async () => {
    const told = expectStatus(await stage.api.get(path('withdraw', 'amountUsd=1.25')), 200, 'preparing');
    const headers = { accept: 'text/html' };
    const page = await fetch(stage.baseUrl + path('withdraw', 'amountUsd=1.25'), { headers });
    expect([page.status, page.headers.get('vary')]).toEqual([200, expect.stringContaining('Accept')]);
    const text = await page.text();
    for (const said of [told.data, told.to, told.says]) expect(text).toContain(said);
  });
});

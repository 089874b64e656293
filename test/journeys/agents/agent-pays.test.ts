import { createPublicClient, erc20Abi, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { onOneDay } from '../../fixtures/one-day.ts';
import { runCommand } from '../../fixtures/service.ts';
import { inDays, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** An agent pays for determinations from its own account, within its mandate. */

const WALLET = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
let stage: WireStage;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  stage = await wireStage();
  env = { ...stage.env, DATABASE_URL: stage.databaseUrl };
});
afterAll(() => stage.stop());

const pay = (handle: string, query = '', ...more: string[]) =>
  runCommand(['agent', 'pay', handle, `${stage.baseUrl}/determination?address=${WALLET}${query}`, ...more], {
    env,
  });

async function agentWith(mandate: string): Promise<{ handle: string; account: `0x${string}` }> {
  const agent = await stage.agent(await stage.owner(), { mandate });
  await fund(stage.env, agent.account, '1');
  return { handle: agent.handle, account: agent.account as `0x${string}` };
}

async function dollarsOf(account: `0x${string}`): Promise<bigint> {
  const { rpcUrl, usdc } = findRunning(stage.env.DATA_DIR as string)!.chains['1002']!;
  const client = createPublicClient({ transport: http(rpcUrl) });
  return client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [account] });
}

describe('an agent', () => {
  it('pays one percent of a transaction out of its account until its day’s cap, then the chain refuses', async () => {
    await onOneDay();
    const { handle, account } = await agentWith(
      `Buy anything, max 0.02 USDC per deal and 0.025 USDC per day, until ${inDays(30)}.`,
    );
    const first = await pay(handle, '&chainId=1002&transactionUsd=2');
    expect([first.code, first.stderr]).toEqual([0, '']);
    const bought = JSON.parse(first.stdout);
    expect(bought).toMatchObject({ status: 200, body: { address: WALLET }, paid: { usd: 0.02 } });
    expect(bought.paid.payer.toLowerCase()).toBe(account.toLowerCase());
    expect(await dollarsOf(account)).toBe(980_000n);

    const over = await pay(handle, '&chainId=1002');
    expect([over.code, over.stdout]).toEqual([1, '']);
    expect(over.stderr).toContain('DayCapExceeded');
    const dear = await pay(handle, '&transactionUsd=3');
    expect(dear.stderr).toContain('PerDealCapExceeded');
    expect(await dollarsOf(account)).toBe(980_000n);
  });

  it('pays nobody whom its mandate does not name, if the mandate names categories', async () => {
    const { handle, account } = await agentWith(`Buy travel, max 5 USDC per deal, until ${inDays(30)}.`);
    expect((await pay(handle)).stderr).toContain('CategoryNotAllowed');
    expect(await dollarsOf(account)).toBe(1_000_000n);
  });

  it('pays no more than the price that it was given, and must be a known agent', async () => {
    const { handle, account } = await agentWith(`Buy anything, max 5 USDC per deal, until ${inDays(30)}.`);
    expect((await pay(handle, '&transactionUsd=100')).stderr).toContain('more than the 0.05');
    expect((await pay('nobody-at-all')).stderr).toContain('There is no agent');
    // An error in the request is reported, and nothing is paid.
    const wrong = await pay(handle, '&chainId=none');
    expect([wrong.code, JSON.parse(wrong.stdout).paid]).toEqual([1, null]);
    expect(await dollarsOf(account)).toBe(1_000_000n);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spendPolicyAbi } from '../../../chain/abi/spend-policy.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

/**
 * The service notices what the guardian does on chain to every agent, and also its end, for which there is no event.
 */

let stage: WireStage;
let owner: PrivateKeyAccount;
let agents: readonly WireAgent[];

beforeAll(async () => {
  stage = await wireStage();
  owner = await stage.owner();
  agents = await Promise.all([stage.agent(owner), stage.agent(owner)]);
});
afterAll(() => stage.stop());

/** Calls with the guardian's key, without telling the service. */
async function asGuardian(functionName: 'pauseAll' | 'resumeAll', args: [] | [bigint]): Promise<void> {
  const folder = stage.env.DATA_DIR as string;
  const { rpcUrl, policy } = findRunning(folder)!.chains['1002']!;
  const { operatorPrivateKey } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as {
    operatorPrivateKey: Hex;
  };
  const account = privateKeyToAccount(operatorPrivateKey);
  const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
  const hash = await wallet.writeContract({
    address: policy,
    abi: spendPolicyAbi,
    functionName,
    args,
    chain: null,
  } as Parameters<typeof wallet.writeContract>[0]);
  expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
}

const shown = async ({ handle }: WireAgent) => (await stage.api.get(`/agent/${handle}`)).body;

describe('a pause of all agents by the guardian', () => {
  it('pauses every agent, and ends by itself', async () => {
    await asGuardian('pauseAll', [20n]);
    for (const agent of agents) {
      await until(`${agent.handle} paused`, async () =>
        (await shown(agent)).status === 'paused' ? true : null,
      );
      expect(await shown(agent)).toMatchObject({ heldBy: ['guardian'] });
    }
    for (const agent of agents) {
      await until(`${agent.handle} active`, async () => {
        // Time on chain passes only with its blocks.
        await stage.moveUsd(owner, agent.account, '1');
        return (await shown(agent)).status === 'active' ? true : null;
      });
    }
  });
});

import { type Address, concat, erc20Abi, type Hex, keccak256, pad, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { agentNftAbi } from '../../chain/abi/agent-nft.ts';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import { readDeployment } from '../../chain/deploy/deployment-file.ts';
import { ROLE_IDS } from '../../chain/deploy/roles.ts';
import { openNode } from '../../chain/deploy/rollout/node.ts';
import { requireServable } from '../../chain/deploy/rollout/serve.ts';
import { fundWallet } from '../../chain/devnet/dev-wallets.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { expectStatus, serviceClient, until } from '../../runtime/cli/demo/client.ts';
import { type BareAnvil, bareAnvil } from '../fixtures/chain/bare-anvil.ts';
import { runCommand, type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { receiptOf, stockFetch } from '../fixtures/wallets/payers.ts';
import { freshKey } from './commands.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const [deployer, operator, minter, recorder, settlement, records, facilitator, treasury, payer] = [
  freshKey(),
  freshKey(),
  freshKey(),
  freshKey(),
  freshKey(),
  freshKey(),
  freshKey(),
  freshKey(),
  freshKey(),
];
const seed = generatePrivateKey();
let chain: BareAnvil;
let folder: ServiceFolder;
let deployment: Deployment;

beforeAll(async () => {
  [chain, folder] = await Promise.all([bareAnvil(1002), serviceFolder()]);
  for (const { address } of [deployer, operator, minter, recorder, settlement, facilitator])
    await chain.fund(address);
  const roles = [
    ...['--minter', minter.address, '--recorder', recorder.address],
    ...['--guardian', operator.address, '--issuer', operator.address],
  ];
  const { code, stdout, stderr } = await runCommand(
    ['deploy', '--rpc', chain.url, '--chain', '1002', ...roles, '--treasury', treasury.address],
    { env: { ...folder.env, DEPLOYER_PRIVATE_KEY: deployer.privateKey } },
  );
  if (code !== 0) throw new Error(stdout + stderr);
  deployment = (await readDeployment(folder.dataDir, 1002))!;
});

afterAll(async () => {
  await folder.remove();
  await chain.stop();
});

const settings = (key: { privateKey: Hex }): Record<string, string> => ({
  RPC_URL_1002: chain.url,
  CONFIRMATIONS_1002: '0',
  OPERATOR_PRIVATE_KEY: operator.privateKey,
  MINTER_PRIVATE_KEY: key.privateKey,
  RECORDER_PRIVATE_KEY: recorder.privateKey,
  SETTLEMENT_PRIVATE_KEY: settlement.privateKey,
  RECORDS_PRIVATE_KEY: records.privateKey,
  FACILITATOR_PRIVATE_KEY: facilitator.privateKey,
  SESSION_KEY_SEED: seed,
});

it('on a chain it did not start, the service mints what was paid for and is paid for a determination', async () => {
  const service = await folder.start(settings(minter));
  const api = serviceClient(service.baseUrl);
  const owner = freshKey().address;
  const mandate = 'Buy and sell digital products, max 500 USDC per deal, until 31 March 2027.';
  const opened = expectStatus(
    await api.post('/agent/checkout', { owner, handle: 'far-away', mandate, tier: 'AGENT' }),
    201,
    'opening a checkout',
  );
  const card = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123', name: 'Owner' };
  await fetch(opened.checkoutUrl, {
    method: 'POST',
    body: new URLSearchParams(card),
    redirect: 'manual',
  });
  await until(
    'the mint',
    async () => {
      const { body } = await api.get(`/agent/checkout/${opened.checkoutId}`);
      if (body.status === 'failed') throw new Error(JSON.stringify(body));
      return body.status === 'minted' ? body : null;
    },
    { timeoutMs: 180_000 },
  );
  const node = await openNode(chain.url, 1002);
  const agent = expectStatus(await api.get('/agent/far-away'), 200, 'reading the agent');
  expect(agent.contract.toLowerCase()).toBe(deployment.agentNft.toLowerCase());
  expect(await node.read(deployment.agentNft, agentNftAbi, 'ownerOf', [BigInt(agent.tokenId)])).toBe(owner);

  await fundWallet(
    { rpcUrl: chain.url, deployment, operatorPrivateKey: minter.privateKey },
    payer.address,
    1_000_000n,
  );
  const pay = stockFetch(privateKeyToAccount(payer.privateKey), deployment.usdc);
  const answer = await pay(`${service.baseUrl}/determination?address=${operator.address}&chainId=1002`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  expect(receiptOf(answer)).toMatchObject({ success: true, network: 'eip155:1002' });
  const balance = (who: Address) => node.read(deployment.usdc, erc20Abi, 'balanceOf', [who]);
  expect(await balance(payer.address)).toBe(990_000n);
  expect(await balance(treasury.address)).toBe(10_000n);
  const { recorded } = await answer.json();
  expect(recorded).toMatchObject({ filed: true });
  const record = expectStatus(await api.get(`/records/${recorded.recordId}`), 200, 'reading the record');
  expect(record.signature.signer).toBe(records.address);
  await until('the anchor', async () => {
    const { body } = await api.get(`/records/${recorded.recordId}`);
    return body.state === 'anchored' ? body : null;
  });
  // Each key sent what is its own to send, and the key of records nothing.
  for (const { address } of [minter, recorder]) expect(await sent(address)).toBeGreaterThan(0);
  for (const { address } of [operator, settlement, records]) expect(await sent(address)).toBe(0);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

/** How many transactions an address has sent. */
async function sent(address: Address): Promise<number> {
  return Number(await rpc<Hex>(chain.url, 'eth_getTransactionCount', [address, 'latest']));
}

it('does not start with a key that may not mint there, and says so', async () => {
  const service = folder.attempt(settings(deployer));
  expect(await service.ended).toBe(2);
  expect(service.errors()).toContain(
    `MINTER_PRIVATE_KEY is ${deployer.address}'s, which may not mint agents on chain 1002: run "deploy rotate minter ${deployer.address}", or use the minter's key.`,
  );
});

it('does not start with an operator’s key that may issue no certificate there, and says so', async () => {
  const service = folder.attempt({ ...settings(minter), OPERATOR_PRIVATE_KEY: payer.privateKey });
  expect(await service.ended).toBe(2);
  expect(service.errors()).toContain(
    `OPERATOR_PRIVATE_KEY is ${payer.address}'s, which may not issue certificates on chain 1002: run "deploy rotate issuer ${payer.address}", or use the issuer's key.`,
  );
});

describe('a minter whose key was stolen, and whose role was taken on chain', () => {
  const fresh = freshKey();
  const moved = async (act: 'cancel' | 'rotate', who: Address): Promise<void> => {
    const { code, stdout, stderr } = await runCommand(
      ['deploy', act, 'minter', who, '--rpc', chain.url, '--chain', '1002'],
      { env: { ...folder.env, DEPLOYER_PRIVATE_KEY: deployer.privateKey } },
    );
    if (code !== 0) throw new Error(stdout + stderr);
  };
  const servable = (address: Address) =>
    requireServable(chain.url, deployment, {
      minter: { address, setting: 'MINTER_PRIVATE_KEY' },
      recorder: { address: recorder.address, setting: 'RECORDER_PRIVATE_KEY' },
      issuer: { address: operator.address, setting: 'OPERATOR_PRIVATE_KEY' },
    });

  it('keeps no service from a start with the former key, which says what waits and what ends the wait', async () => {
    await moved('cancel', minter.address);
    expect(await servable(minter.address)).toEqual([
      `MINTER_PRIVATE_KEY is ${minter.address}'s, which may not mint agents on chain 1002 any more: run "deploy rotate minter 0x<fresh>", start with the fresh key, and it may two days later; until then no agent is minted, and what was paid for waits`,
    ]);
    await expect(servable(deployer.address)).rejects.toThrow('which may not mint agents on chain 1002: run');
  });

  /**
   * Lets the grant have counted for long, by the manager's storage: a chain that is put two days ahead is not believed by a
   * service whose clock is not.
   */
  const countNow = async (): Promise<void> => {
    const roles = pad('0x1');
    const role = keccak256(concat([pad(toHex(ROLE_IDS.minter)), roles]));
    const slot = keccak256(concat([pad(fresh.address), role]));
    const held = BigInt(await rpc<Hex>(chain.url, 'eth_getStorageAt', [deployment.manager, slot, 'latest']));
    expect(held & 0xffff_ffff_ffffn).toBeGreaterThan(BigInt(Math.floor(Date.now() / 1000)));
    const value = pad(toHex(((held >> 48n) << 48n) | 1n));
    await rpc(chain.url, 'anvil_setStorageAt', [deployment.manager, slot, value]);
    await rpc(chain.url, 'evm_mine', []);
  };

  it('mints what was paid for meanwhile once the grant of a fresh key counts', async () => {
    await chain.fund(fresh.address);
    await moved('rotate', fresh.address);
    const service = await folder.start(settings(fresh));
    expect(service.output()).toContain('which may not mint agents on chain 1002 before ');
    const api = serviceClient(service.baseUrl);
    // A part that a busy machine answers too late is down for one check, which must not count here.
    const home = await until('a health that says so', async () => {
      const { body } = await api.get('/health');
      return body.checks.chains['1002'].status === 'degraded' ? body.checks.chains['1002'] : null;
    });
    expect(home).toMatchObject({
      detail: 'not in their roles on chain: minter',
      roles: [
        { role: 'minter', address: fresh.address, held: false },
        { role: 'recorder', address: recorder.address, held: true },
        { role: 'issuer', address: operator.address, held: true },
      ],
    });
    const mandate = 'Buy digital products, max 500 USDC per deal, until 31 March 2027.';
    const asked = { owner: freshKey().address, handle: 'patient', mandate, tier: 'AGENT' };
    const opened = expectStatus(await api.post('/agent/checkout', asked), 201, 'opening a checkout');
    const card = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123', name: 'Owner' };
    await fetch(opened.checkoutUrl, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' });
    const state = async (): Promise<string> => {
      const { body } = await api.get(`/agent/checkout/${opened.checkoutId}`);
      if (body.status === 'failed') throw new Error(JSON.stringify(body));
      return body.status;
    };
    const waits = /"kind":"mint-agent".*does not hold the role minter on chain 1002 now/;
    await until('a mint that waits for its role', async () => {
      await state();
      return waits.test(service.output()) ? true : null;
    });
    expect(await sent(fresh.address)).toBe(0);

    await countNow();
    await until('the mint', async () => ((await state()) === 'minted' ? true : null), { timeoutMs: 300_000 });
    expect(await sent(fresh.address)).toBeGreaterThan(0);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  }, 600_000);
});

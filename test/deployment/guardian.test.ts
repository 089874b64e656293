import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, keccak256, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isKeyLive, type MintedAgent, mintAgent } from '../../chain/clients/agents.ts';
import { isListed, setListed } from '../../chain/clients/asset-listings.ts';
import { readPauses } from '../../chain/clients/policy-keys.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../chain/tx/signer.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { runCommand } from '../fixtures/service.ts';

/** The guardian's commands as its holder runs them, on a chain of its own. */

// Each command is a process of its own, which loads the whole program.
vi.setConfig({ testTimeout: 180_000 });

const DAY = 86_400;
const dataDir = mkdtempSync(join(tmpdir(), 'guardian-'));
const stranger = generatePrivateKey();
const session = privateKeyToAddress(generatePrivateKey());
let chain: TestChain;
let agent: MintedAgent;
let alice: Signer;

beforeAll(async () => {
  chain = await testChain();
  const { url: rpcUrl, chainId, accounts, deployment } = chain;
  writeFileSync(join(dataDir, 'deployment-1002.json'), JSON.stringify(deployment));
  await rpc(rpcUrl, 'anvil_setBalance', [privateKeyToAddress(stranger), toHex(10n ** 18n)]);
  const signer = (privateKey: Hex) => createSigner({ rpcUrl, chainId, privateKey });
  alice = signer(accounts.alice.privateKey);
  const expiry = Math.floor(Date.now() / 1000) + 30 * DAY;
  const caps = { perDeal: 1n, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n };
  const lists = { allow: [], deny: [], offChain: [] };
  agent = await mintAgent(signer(accounts.operator.privateKey), deployment, {
    ...{
      to: alice.address,
      tier: 1,
      paymentRef: keccak256('0x01'),
      key: session,
      keyValidUntil: expiry,
      uri: 'u',
    },
    terms: {
      ...{ mandateHash: keccak256('0x02'), validAfter: 0, expiry, sides: 3, allowlistOnly: false },
      ...{ categories: 0n, caps, ...lists },
    },
  });
});
afterAll(async () => {
  await chain?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function guardian(args: readonly string[], key: Hex | null, named = true): Promise<Ran> {
  const on = named ? ['--rpc', chain.url, '--chain', '1002'] : [];
  const env = { DATA_DIR: dataDir, ...(key === null ? {} : { GUARDIAN_PRIVATE_KEY: key }) };
  const { code, stdout, stderr } = await runCommand(['guardian', ...args, ...on], { env });
  for (const secret of [stranger, chain.accounts.operator.privateKey])
    expect(`${stdout}${stderr}`).not.toContain(secret.slice(2));
  return { code, out: stdout, err: stderr };
}

const own = (...args: string[]): Promise<Ran> => guardian(args, chain.accounts.operator.privateKey);
const sent = async (who: Hex): Promise<number> =>
  Number(await rpc<Hex>(chain.url, 'eth_getTransactionCount', [who, 'latest']));
const reader = () => viemReader({ rpcUrl: chain.url, chainId: chain.chainId });

async function at<T>(ask: (block: bigint) => Promise<T>): Promise<T> {
  return await ask((await reader().head()).number);
}
const isLive = () => at((block) => isKeyLive(reader(), chain.deployment, agent.tokenId, session, block));
const pausedByGuardian = async () =>
  (await at((block) => readPauses(reader(), chain.deployment, agent.tokenId, block))).guardian;

async function passes(seconds: number): Promise<void> {
  await rpc(chain.url, 'evm_increaseTime', [seconds]);
  await rpc(chain.url, 'evm_mine', []);
}

describe('a guardian’s command', () => {
  it('is refused to any other key before anything is sent, and says whose key may', async () => {
    const { operator } = chain.accounts;
    const before = await sent(privateKeyToAddress(stranger));
    const refused = await guardian(['pause-all', '--hours', '1'], stranger);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toBe(
      `only ${operator.address} may pause all session keys for 3600 s, and this key is ${privateKeyToAddress(stranger)}'s: use its key, or give --calldata to see what it must send\n`,
    );
    expect(await sent(privateKeyToAddress(stranger))).toBe(before);
  });

  it('says what is missing: a key, a chain, an agent, a session key, hours', async () => {
    const keyless = await guardian(['resume-all'], null);
    expect(keyless).toMatchObject({ code: 2, err: expect.stringMatching(/^Set GUARDIAN_PRIVATE_KEY to /) });
    const nowhere = await guardian(['resume-all'], stranger, false);
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('no chain is named: give --rpc') });
    const long = await own('pause-all', '--hours', '73');
    expect(long).toMatchObject({ code: 2, err: '--hours must be a number above 0 and at most 72.\n' });
    const nobody = await own('pause', '999');
    expect(nobody).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^there is no agent 999 on chain 1002/),
    });
    const other = await own('revoke-key', String(agent.tokenId), privateKeyToAddress(stranger));
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('never had the session key') });
  });

  it('pauses one agent, says so, and resumes it', async () => {
    const id = String(agent.tokenId);
    const paused = await own('pause', id);
    expect(paused.err).toBe('');
    expect(paused.out).toMatch(
      new RegExp(
        `^pause the session keys of agent ${id} for 259200 s {2}\\d+ gas {2}0x\\w{64}\\nthe session keys of agent ${id} are paused until `,
      ),
    );
    expect(await pausedByGuardian()).toBe(true);
    const told = await guardian(['status', id, '--json'], null);
    expect(JSON.parse(told.out)).toMatchObject({
      ...{ guardians: [chain.accounts.operator.address], allUntil: 0, tokenId: id },
      agentUntil: expect.any(Number),
    });
    const before = await sent(chain.accounts.operator.address);
    const again = await own('pause', id, '--json');
    expect(
      again.out
        .split('\n')
        .slice(0, 2)
        .map((line) => JSON.parse(line).done),
    ).toEqual([expect.stringContaining('are paused until'), 'No transaction was sent.']);
    expect(await sent(chain.accounts.operator.address)).toBe(before);
    expect((await own('resume', id)).code).toBe(0);
    expect(await pausedByGuardian()).toBe(false);
    const soon = await own('pause', id);
    expect(soon).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^the last pause ends or ended at \d{4}-.*, and none begins before \d{4}-/),
    });
    await passes(7 * DAY);
  });

  it('pauses all, resumes all, and says how long none can begin', async () => {
    const paused = await own('pause-all', '--hours', '1.5');
    expect(paused.out).toMatch(
      /^pause all session keys for 5400 s .*\nall session keys under the policy 0x\w{40} are paused until /,
    );
    expect(await isLive()).toBe(false);
    expect((await own('resume-all')).out).toMatch(
      /^resume all session keys .*\nall session keys under the policy 0x\w{40} are not paused/,
    );
    expect(await isLive()).toBe(true);
    const status = await guardian(['status'], null);
    expect(status.out).toMatch(
      /^guardian of chain 1002: 0x.*\nall session keys under the policy 0x\w{40} are not paused .*; the next pause may begin at /,
    );
    const soon = await own('pause-all', '--hours', '1');
    expect(soon).toMatchObject({ code: 1, err: expect.stringContaining('guardian revoke-key') });
  });

  it('finds the chain and the key of the service that runs on the data folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guardian-own-'));
    try {
      const { operator } = chain.accounts;
      const chains = { '1002': { rpcUrl: chain.url, ...chain.deployment } };
      const running = { pid: process.pid, baseUrl: 'http://127.0.0.1:1', chains };
      writeFileSync(join(folder, 'running.json'), JSON.stringify(running));
      writeFileSync(
        join(folder, 'secrets.json'),
        JSON.stringify({ operatorPrivateKey: operator.privateKey }),
      );
      const { code, stdout } = await runCommand(['guardian', 'resume-all'], { env: { DATA_DIR: folder } });
      expect([code, stdout]).toEqual([0, expect.stringContaining('No transaction was sent.')]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('takes a listing back, and prints what a multisig wallet must send', async () => {
    const listing = { agentId: agent.tokenId, asset: chain.deployment.assets, tokenId: 5n };
    await setListed(alice, chain.deployment, listing, 1_000_000n);
    const args = ['delist', String(agent.tokenId), chain.deployment.assets, '5'];
    const calldata = await guardian([...args, '--calldata'], null);
    expect(JSON.parse(calldata.out)).toMatchObject({
      ...{ from: chain.accounts.operator.address, to: chain.deployment.policy },
      data: expect.stringMatching(/^0x[0-9a-f]{200}$/),
    });
    expect(await at((block) => isListed(reader(), chain.deployment, listing, block))).toBe(true);
    expect((await own(...args)).out).toMatch(
      /^take back the listing .*\ntoken 5 of 0x\w+ by agent \d+ is not listed\n$/,
    );
    expect(await at((block) => isListed(reader(), chain.deployment, listing, block))).toBe(false);
  });

  it('revokes a session key for good', async () => {
    const args = ['revoke-key', String(agent.tokenId), session];
    expect((await own(...args)).out).toMatch(
      /^revoke the session key .*\nthe session key 0x\w+ of agent \d+ is revoked\n$/,
    );
    expect(await isLive()).toBe(false);
    expect((await own(...args)).out).toMatch(/is revoked\nNo transaction was sent\.\n$/);
  });
});

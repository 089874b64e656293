import { readFileSync, writeFileSync } from 'node:fs';
import { type Abi, type Address, formatEther, type Hex, parseEther, zeroAddress, zeroHash } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { agentNftAbi } from '../../chain/abi/agent-nft.ts';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { deployPlan } from '../../chain/deploy/deploy-plan.ts';
import { GRANT_DELAY_SECONDS } from '../../chain/deploy/roles.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import { simulate, transact } from '../../chain/tx/transact.ts';
import { type BareAnvil, bareAnvil } from '../fixtures/chain/bare-anvil.ts';
import { DeployDesk, freshKey, type Key } from './commands.ts';

const desk = new DeployDesk();
const [deployer, admin, operator, guardian, issuer, treasury] = Array.from({ length: 6 }, freshKey) as [
  ReturnType<typeof freshKey>,
  ReturnType<typeof freshKey>,
  ReturnType<typeof freshKey>,
  ReturnType<typeof freshKey>,
  ReturnType<typeof freshKey>,
  ReturnType<typeof freshKey>,
];
let chain: BareAnvil;
const on = ({ url, chainId }: BareAnvil) => ['--rpc', url, '--chain', String(chainId)];
const named = [
  ['--admin', admin.address, '--minter', operator.address, '--recorder', operator.address],
  ['--guardian', guardian.address, '--issuer', issuer.address, '--treasury', treasury.address],
].flat();

beforeAll(async () => {
  chain = await bareAnvil(1002);
  await Promise.all([deployer, admin].map(({ address }) => chain.fund(address)));
});

// Each command is a process of its own, which loads the whole program.
vi.setConfig({ testTimeout: 180_000 });

afterAll(async () => {
  await chain.stop();
  desk.remove();
});

describe('a deployment to a chain of others', () => {
  it('says beforehand what it would do and cost, and sends nothing', async () => {
    const { code, output } = await desk.run([...on(chain), ...named, '--dry-run'], deployer);
    expect(output).toMatch(
      /^14 transaction\(s\) to send from 0x\w{40}, \d+ gas at most: [\d.]+ coin at most/,
    );
    expect(output).toContain('would put AgentNFT at 0x');
    expect(output).toContain('Nothing was sent: this was a dry run on chain 1002.');
    expect(code).toBe(0);
    expect(await chain.sent(deployer.address)).toBe(0);
    expect(desk.deployment(1002)).toBeNull();
  });

  it('stops before the first transaction where other code stands in the place of a contract', async () => {
    const { contracts } = deployPlan({
      deployer: deployer.address,
      admin: admin.address,
      minter: operator.address,
      recorder: operator.address,
      guardian: guardian.address,
      issuer: issuer.address,
      treasury: treasury.address,
    });
    const ledger = contracts.find(({ field }) => field === 'ledger')!.address;
    await rpc(chain.url, 'anvil_setCode', [ledger, '0x6000']);
    const { code, output } = await desk.run([...on(chain), ...named], deployer);
    expect(output).toBe(
      `Ledger: at ${ledger} stands other code than it should be; nothing was sent for it\n`,
    );
    expect(code).toBe(1);
    expect(await chain.sent(deployer.address)).toBe(0);
    await rpc(chain.url, 'anvil_setCode', [ledger, '0x']);
  });

  it('names the coin that is missing, to the last unit', async () => {
    const poor = freshKey();
    await chain.fund(poor.address, parseEther('0.001'));
    const { code, output } = await desk.run(on(chain), poor);
    const [, has, cost, missing] =
      /has ([\d.]+) of chain 1002's coin and this may cost up to ([\d.]+): send it ([\d.]+) more/.exec(
        output,
      )!;
    expect(has).toBe('0.001');
    expect(formatEther(parseEther(cost!) - parseEther('0.001'))).toBe(missing);
    expect(code).toBe(1);
    expect(await chain.sent(poor.address)).toBe(0);
  });

  it('gives every role to its key from the first block on: the deployer keeps nothing and may nothing', async () => {
    const { code, output } = await desk.run([...on(chain), ...named], deployer);
    expect(output, output).toMatch(
      /^14\/14 {2}bind SpendPolicy to AgentNFT and Settlement {2}\d+ gas {2}0x/m,
    );
    expect(code).toBe(0);
    expect(output).toMatch(/the deployer holds +nothing$/m);
    expect(output).toMatch(/Multicall3 is absent/);
    expect(await chain.sent(deployer.address)).toBe(14);

    const deployment = desk.deployment(1002)!;
    expect(deployment).toMatchObject({
      chainId: 1002,
      operator: operator.address,
      treasury: treasury.address,
      roles: { deployer: deployer.address, admin: admin.address, issuer: issuer.address },
    });
    const mint = (key: { privateKey: Hex }) =>
      simulate(createSigner({ rpcUrl: chain.url, chainId: 1002, privateKey: key.privateKey }), {
        to: deployment.agentNft,
        abi: agentNftAbi,
        functionName: 'mint',
        args: [anOrder(deployment.usdc)],
      });
    await expect(mint(deployer)).rejects.toMatchObject({ errorName: 'NotInRole' });
    await expect(mint(admin)).rejects.toMatchObject({ errorName: 'NotInRole' });
    await expect(mint(operator)).resolves.toMatch(/^0x/);
  });

  it('sends nothing the second time, and says so', async () => {
    const before = readFileSync(desk.file(1002), 'utf8');
    const { code, output } = await desk.run([...on(chain), ...named], deployer);
    expect(output).toMatch(/^Everything stands already: no transaction was sent\.$/m);
    expect(code).toBe(0);
    expect(await chain.sent(deployer.address)).toBe(14);
    expect(readFileSync(desk.file(1002), 'utf8')).toBe(before);
  });

  it('is not made a second time under other roles by mistake', async () => {
    const { code, output } = await desk.run([...on(chain), ...named.slice(2)], deployer);
    expect(output).toContain(
      `is of a deployment with admin ${admin.address}, not ${deployer.address}: give the same again, or another --out to deploy beside it`,
    );
    expect(code).toBe(1);
    expect(await chain.sent(deployer.address)).toBe(14);
  });

  it('is told by status without any key', async () => {
    const stands = await desk.run(['status', ...on(chain)], null);
    expect(stands.output).toMatch(/All of it stands\.\n$/);
    expect(stands.output).toMatch(new RegExp(`admin of the platform +${admin.address}$`, 'm'));
    expect(stands.output).toMatch(new RegExp(`minter of the platform +${operator.address}$`, 'm'));
    expect(stands.output).toMatch(new RegExp(`treasury of the platform +${treasury.address}$`, 'm'));
    expect(stands.code).toBe(0);
  });

  it('is not taken for whole where one contract has other code: status and a second run name it', async () => {
    const { settlement } = desk.deployment(1002)!;
    const code = await chain.code(settlement);
    // One byte of thousands, and none of the constructor's own.
    await rpc(chain.url, 'anvil_setCode', [settlement, `${code.slice(0, 40)}ff${code.slice(42)}`]);
    const spoilt = await desk.run(['status', ...on(chain)], null);
    expect(spoilt.output).toMatch(/^NO {3}Settlement +0x\w{40} {2}other code than this build's$/m);
    // Nor is it asked which vault waits.
    expect(spoilt.output).toMatch(/^NO {3}No other vault waits +not known: other code than this build's$/m);
    expect(spoilt.output.match(/^NO /gm)).toHaveLength(2);
    expect(spoilt.code).toBe(1);
    const again = await desk.run([...on(chain), ...named], deployer);
    expect(again.output).toMatch(/^Settlement: at 0x\w{40} stands other code/);
    expect(again.code).toBe(1);
    await rpc(chain.url, 'anvil_setCode', [settlement, code]);
  });

  it('does not stand while another vault waits for the fees, also when its time has come: status names it', async () => {
    const { settlement } = desk.deployment(1002)!;
    const propose = (vault: Address) => send(admin, settlement, settlementAbi, 'proposeVault', [vault]);
    await propose(issuer.address);
    const waits = await desk.run(['status', ...on(chain)], null);
    const line = (since: string) =>
      new RegExp(
        `^NO {3}No other vault waits +${issuer.address}, proposed by ${admin.address}: anyone may send the fees there ${since},`,
        'm',
      );
    expect(waits.output).toMatch(line('from \\d{4}-\\S+ on'));
    expect(waits.code).toBe(1);
    await rpc(chain.url, 'evm_increaseTime', [GRANT_DELAY_SECONDS]);
    await rpc(chain.url, 'evm_mine');
    const matured = await desk.run(['status', ...on(chain)], null);
    expect(matured.output).toMatch(line('since \\d{4}-\\S+'));
    expect(matured.code).toBe(1);
    await propose(zeroAddress);
    const takenBack = await desk.run(['status', ...on(chain)], null);
    expect(takenBack.output).toMatch(/All of it stands\.\n$/);
  });

  it('tells which policies and settlements the admin has named for owners', async () => {
    const { agentNft, policy, settlement, ledger } = desk.deployment(1002)!;
    const before = await desk.run(['status', ...on(chain)], null);
    expect(before.output).toMatch(/^ +owners may bind agents to +no other policy or settlement$/m);
    await send(admin, agentNft, agentNftAbi, 'admitPolicy', [ledger]);
    await send(admin, policy, spendPolicyAbi, 'admitSettlement', [settlement]);
    const after = await desk.run(['status', ...on(chain)], null);
    expect(after.output).toMatch(
      new RegExp(`^ +owners may bind agents to +the policy ${ledger}, the settlement ${settlement}$`, 'm'),
    );
    expect(after.code).toBe(0);
  });

  it('is not taken from a file that names other contracts of the same code', async () => {
    const file = desk.file(1002);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(guardian.address, issuer.address));
    const { code, output } = await desk.run(['status', ...on(chain)], null);
    expect(output).toMatch(
      /^NO {3}SpendPolicy +0x\w{40} {2}made by another build, or with other values than the file names$/m,
    );
    expect(code).toBe(1);
    writeFileSync(file, text);
  });

  it('tells who has which role, and what waits, of contracts that another build made', async () => {
    const { policy, settlement } = desk.deployment(1002)!;
    const propose = (vault: Address) => send(admin, settlement, settlementAbi, 'proposeVault', [vault]);
    const code = await rpc<Hex>(chain.url, 'eth_getCode', [policy, 'latest']);
    await rpc(chain.url, 'anvil_setCode', [policy, '0x6001600255']);
    await propose(issuer.address);
    const { code: ended, output } = await desk.run(['status', ...on(chain)], null);
    expect(output).toMatch(/^NO {3}SpendPolicy +0x\w{40} {2}other code than this build's$/m);
    expect(output).toMatch(new RegExp(`^ +minter of the platform +${operator.address}`, 'm'));
    expect(output).toMatch(new RegExp(`^NO {3}No other vault waits +${issuer.address}`, 'm'));
    // Other code may tell of other events.
    expect(output).toMatch(/^ +owners may bind agents to +not known: /m);
    expect(ended).toBe(1);
    await propose(zeroAddress);
    await rpc(chain.url, 'anvil_setCode', [policy, code]);
  });
});

async function send(by: Key, to: Address, abi: Abi, functionName: string, args: readonly unknown[]) {
  const signer = createSigner({ rpcUrl: chain.url, chainId: 1002, privateKey: by.privateKey });
  await transact(signer, { to, abi, functionName, args, gas: 200_000n, purposes: [] });
}

function anOrder(usdc: Address) {
  const cap = { token: usdc, perDeal: 1n, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n };
  return {
    to: treasury.address,
    tier: 1,
    paymentRef: `0x${'11'.repeat(32)}`,
    key: guardian.address,
    keyValidUntil: 4_000_000_000,
    uri: '',
    terms: {
      mandateHash: zeroHash,
      validAfter: 0,
      expiry: 4_000_000_000,
      sides: 3,
      allowlistOnly: false,
      categories: 0n,
    },
    caps: [cap],
    allow: [],
    deny: [],
  };
}

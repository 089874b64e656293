import { readFileSync, writeFileSync } from 'node:fs';
import { type Address, formatEther, type Hex, parseEther, zeroAddress, zeroHash } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { agentNftAbi } from '../../chain/abi/agent-nft.ts';
import { deployPlanned } from '../../chain/create2.ts';
import { deployPlan, soleOperator } from '../../chain/deploy-plan.ts';
import { rpc } from '../../chain/json-rpc.ts';
import { createSigner } from '../../chain/signer.ts';
import { simulate } from '../../chain/transact.ts';
import { deployCommand } from '../../runtime/cli/deploy.ts';
import { StartError } from '../../runtime/start-error.ts';
import { type BareAnvil, bareAnvil } from '../fixtures/bare-anvil.ts';
import { freePort } from '../fixtures/service.ts';
import { DeployDesk, freshKey } from './commands.ts';

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
let elsewhere: BareAnvil;
const on = ({ url, chainId }: BareAnvil) => ['--rpc', url, '--chain', String(chainId)];
const named = [
  ['--admin', admin.address, '--minter', operator.address, '--recorder', operator.address],
  ['--guardian', guardian.address, '--issuer', issuer.address, '--treasury', treasury.address],
].flat();

beforeAll(async () => {
  [chain, elsewhere] = await Promise.all([bareAnvil(1002), bareAnvil(1)]);
  await Promise.all([chain.fund(deployer.address), elsewhere.fund(deployer.address)]);
});

// Each command is a process of its own, which loads the whole program.
vi.setConfig({ testTimeout: 180_000 });

afterAll(async () => {
  await Promise.all([chain.stop(), elsewhere.stop()]);
  desk.remove();
});

describe('a deployment to a chain of others', () => {
  it('says beforehand what it would do and cost, and sends nothing', async () => {
    const { code, output } = await desk.run([...on(chain), ...named, '--dry-run'], deployer);
    expect(output).toMatch(
      /^10 transaction\(s\) to send from 0x\w{40}, \d+ gas at most: [\d.]+ coin at most/,
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
      /^10\/10 {2}bind SpendPolicy to AgentNFT and Settlement {2}\d+ gas {2}0x/m,
    );
    expect(code).toBe(0);
    expect(output).toMatch(/the deployer holds +nothing$/m);
    expect(output).toMatch(/Multicall3 is absent/);
    expect(await chain.sent(deployer.address)).toBe(10);

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
    await expect(mint(deployer)).rejects.toMatchObject({ errorName: 'AccessControlUnauthorizedAccount' });
    await expect(mint(admin)).rejects.toMatchObject({ errorName: 'AccessControlUnauthorizedAccount' });
    await expect(mint(operator)).resolves.toMatch(/^0x/);
  });

  it('sends nothing the second time, and says so', async () => {
    const before = readFileSync(desk.file(1002), 'utf8');
    const { code, output } = await desk.run([...on(chain), ...named], deployer);
    expect(output).toMatch(/^Everything stands already: no transaction was sent\.$/m);
    expect(code).toBe(0);
    expect(await chain.sent(deployer.address)).toBe(10);
    expect(readFileSync(desk.file(1002), 'utf8')).toBe(before);
  });

  it('is not made a second time under other roles by mistake', async () => {
    const { code, output } = await desk.run([...on(chain), ...named.slice(2)], deployer);
    expect(output).toContain(
      `is of a deployment with admin ${admin.address}, not ${deployer.address}: give the same again, or another --out to deploy beside it`,
    );
    expect(code).toBe(1);
    expect(await chain.sent(deployer.address)).toBe(10);
  });

  it('is told by status without any key', async () => {
    const stands = await desk.run(['status', ...on(chain)], null);
    expect(stands.output).toMatch(/All of it stands\.\n$/);
    expect(stands.output).toMatch(new RegExp(`default admin of AgentNFT +${admin.address}$`, 'm'));
    expect(stands.output).toMatch(new RegExp(`minter of AgentNFT +${operator.address}$`, 'm'));
    expect(stands.output).toMatch(
      new RegExp(`treasury of Settlement +${treasury.address} {2}\\(for good\\)$`, 'm'),
    );
    expect(stands.code).toBe(0);
  });

  it('is not taken for whole where one contract has other code: status and a second run name it', async () => {
    const { settlement } = desk.deployment(1002)!;
    const code = await chain.code(settlement);
    // One byte of thousands, and none of the constructor's own.
    await rpc(chain.url, 'anvil_setCode', [settlement, `${code.slice(0, 40)}ff${code.slice(42)}`]);
    const spoilt = await desk.run(['status', ...on(chain)], null);
    expect(spoilt.output).toMatch(/^NO {3}Settlement +0x\w{40} {2}other code than this build's$/m);
    expect(spoilt.output.match(/^NO /gm)).toHaveLength(1);
    expect(spoilt.code).toBe(1);
    const again = await desk.run([...on(chain), ...named], deployer);
    expect(again.output).toMatch(/^Settlement: at 0x\w{40} stands other code/);
    expect(again.code).toBe(1);
    await rpc(chain.url, 'anvil_setCode', [settlement, code]);
  });

  it('is not taken from a file that names other contracts of the same code', async () => {
    const file = desk.file(1002);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(guardian.address, issuer.address));
    const { code, output } = await desk.run(['status', ...on(chain)], null);
    expect(output).toMatch(/^NO {3}SpendPolicy +0x\w{40} {2}made with other values than the file names$/m);
    expect(code).toBe(1);
    writeFileSync(file, text);
  });
});

/** The command as the command line holds it, in this process: what it throws is what it would say. */
async function command(args: readonly string[], key: { privateKey: Hex } | null): Promise<Error> {
  const env = { DATA_DIR: desk.dataDir, ...(key ? { DEPLOYER_PRIVATE_KEY: key.privateKey } : {}) };
  await deployCommand(env).parseAsync(args, { from: 'user' });
  return new Error('it was not refused');
}

describe('a deployment is refused in one sentence', () => {
  it.each([
    ['without a chain', () => ['--rpc', chain.url], StartError, /^Give --rpc <url> and --chain <id>\.$/],
    [
      'with a mistyped address',
      () => [...on(chain), '--treasury', mistyped(treasury.address)],
      StartError,
      /^--treasury must be an address that is not zero, with a right checksum if it has one\.$/,
    ],
    [
      'with the zero address',
      () => [...on(chain), '--guardian', zeroAddress],
      StartError,
      /^--guardian must be an address that is not zero/,
    ],
    [
      'where money is real and none is named',
      () => on(elsewhere),
      Error,
      /^chain 1 is not a known test network, so no test money is made there: name the USDC/,
    ],
    [
      'for a token that is none',
      () => [...on(elsewhere), '--token', treasury.address],
      Error,
      /cannot be the settlement token: no contract stands there$/,
    ],
    [
      'above the price that may be paid',
      () => [...on(chain), '--out', `${desk.dataDir}/b.json`, '--max-fee', '0.000001'],
      Error,
      /^chain 1002 asks for [\d.]+ gwei a gas, and 0\.000001 is the most that may be paid: wait, or raise --max-fee$/,
    ],
  ] as const)('%s', async (_, args, kind, sentence) => {
    const refused = await command(args(), deployer).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(kind);
    expect(refused.message).toMatch(sentence);
  });

  it('for another chain than the node answers for, and the exit code says that nothing was done', async () => {
    const { code, output } = await desk.run(['--rpc', chain.url, '--chain', '8453'], deployer);
    expect(output).toMatch(
      /^the node at 127\.0\.0\.1:\d+ answers for chain 1002, not 8453: correct --rpc or --chain\n$/,
    );
    expect(code).toBe(1);
  });

  it('without a key, and by a node that is down, whose URL is not shown', async () => {
    await expect(command(on(chain), null)).rejects.toThrow(
      /^Set DEPLOYER_PRIVATE_KEY or OPERATOR_PRIVATE_KEY/,
    );
    const url = `http://127.0.0.1:${await freePort()}/v3/secret`;
    const down = await command(['--rpc', url, '--chain', '1002'], deployer).catch((error: Error) => error);
    expect(down.message).toMatch(
      /^the node at 127\.0\.0\.1:\d+ does not answer .*: run the same command again/,
    );
    expect(down.message).not.toContain('secret');
  });

  it('on a chain whose EVM is older than Cancun', async () => {
    const old = await bareAnvil(1002, [], 'shanghai');
    try {
      await old.fund(deployer.address);
      await expect(command([...on(old), '--out', `${desk.dataDir}/old.json`], deployer)).rejects.toThrow(
        /^chain 1002 runs an EVM older than Cancun .*transient storage/,
      );
      expect(await old.sent(deployer.address)).toBe(0);
    } finally {
      await old.stop();
    }
  });
});

describe('where money is real', () => {
  it('the USDC that stands is held to what payments need, and used; no test money and no demo assets come along', async () => {
    const signer = createSigner({ rpcUrl: elsewhere.url, chainId: 1, privateKey: deployer.privateKey });
    const { contracts } = deployPlan(soleOperator(deployer.address, treasury.address));
    const [usdc, assets] = (['usdc', 'assets'] as const).map(
      (f) => contracts.find(({ field }) => field === f)!,
    );
    await deployPlanned(signer, elsewhere.url, usdc!);
    await deployPlanned(signer, elsewhere.url, assets!);

    await expect(command([...on(elsewhere), '--token', assets!.address], deployer)).rejects.toThrow(
      /cannot be the settlement token: it does not say its decimals$/,
    );

    const { code, output } = await desk.run([...on(elsewhere), ...named, '--token', usdc!.address], deployer);
    expect(code, output).toBe(0);
    expect(output).not.toMatch(/TestUSDC|DemoAssets/);
    expect(desk.deployment(1)).toMatchObject({
      usdc: usdc!.address,
      usdcName: 'USDC',
      usdcVersion: '2',
      assets: zeroAddress,
    });
    // The two of above, and eight of these.
    expect(await elsewhere.sent(deployer.address)).toBe(10);
  });
});

/** One letter in another case, which the checksum tells (EIP-55). */
function mistyped(address: Address): string {
  const at = address.slice(2).search(/[a-f]/i) + 2;
  const letter = address[at]!;
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return address.slice(0, at) + other + address.slice(at + 1);
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

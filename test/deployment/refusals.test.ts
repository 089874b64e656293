import { type Hex, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deployPlanned } from '../../chain/deploy/create2.ts';
import { deployPlan, soleOperator } from '../../chain/deploy/deploy-plan.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import { deployCommand } from '../../runtime/cli/deploy/deploy.ts';
import { StartError } from '../../runtime/config/start-error.ts';
import { type BareAnvil, bareAnvil } from '../fixtures/chain/bare-anvil.ts';
import { freePort } from '../fixtures/free-port.ts';
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
/** EIP-55's first example with one letter in another case: of a fresh address, that may leave none of a case. */
const MISTYPED = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
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
      () => [...on(chain), '--treasury', MISTYPED],
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
    expect(output).not.toMatch(/TestUSDC|DemoAssets|DemoNames/);
    expect(desk.deployment(1)).toMatchObject({
      usdc: usdc!.address,
      usdcName: 'USDC',
      usdcVersion: '2',
      assets: zeroAddress,
      namesA: zeroAddress,
      namesB: zeroAddress,
    });
    // The two of above, and ten of these.
    expect(await elsewhere.sent(deployer.address)).toBe(12);
  });
});

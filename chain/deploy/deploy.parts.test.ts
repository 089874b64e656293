import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, erc20Abi, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fundGas } from '../devnet/dev-wallets.ts';
import { type Devnet, startDevnet } from '../devnet/devnet.ts';
import { rpc } from '../rpc/json-rpc.ts';
import { createSigner } from '../tx/signer.ts';
import { deployPlanned } from './create2.ts';
import { deployContracts } from './deploy.ts';
import { deployPlan, soleOperator } from './deploy-plan.ts';
import { readDeployment } from './deployment-file.ts';

const operatorPrivateKey = generatePrivateKey();
const treasury = privateKeyToAddress(generatePrivateKey());
const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'deploy-')));
let devnets: Devnet[];

beforeAll(async () => {
  devnets = await Promise.all([
    startDevnet({ chainId: 1002, dataDir: folders[0]! }),
    startDevnet({ chainId: 84532, dataDir: folders[1]! }),
  ]);
});

afterAll(async () => {
  await Promise.all(devnets.map((devnet) => devnet.stop()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const options = (i: 0 | 1) => ({
  rpcUrl: devnets[i]!.rpcUrl,
  chainId: devnets[i]!.chainId,
  operatorPrivateKey,
  treasury,
  dataDir: folders[i]!,
});
const sent = (i: 0 | 1) =>
  rpc<Hex>(devnets[i]!.rpcUrl, 'eth_getTransactionCount', [
    privateKeyToAddress(operatorPrivateKey),
    'latest',
  ]);

describe('the deployment', () => {
  it('puts every contract in place, and a second run sends nothing and says the same', async () => {
    const first = await deployContracts(options(0));
    const count = await sent(0);
    expect(Number(count)).toBe(14);
    expect(await deployContracts(options(0))).toEqual(first);
    expect(await sent(0)).toBe(count);
    expect(await readDeployment(folders[0]!, 1002)).toEqual(first);
    expect(first).toMatchObject({
      chainId: 1002,
      registry: '0x000000006551c19487814612e58FE06813775758',
      treasury,
      operator: privateKeyToAddress(operatorPrivateKey),
      deployedAtBlock: 0,
    });
  });

  it('can be cut short anywhere: the next run adds what is missing, at the same addresses', async () => {
    const { rpcUrl, chainId } = devnets[1]!;
    const signer = createSigner({ rpcUrl, chainId, privateKey: operatorPrivateKey });
    await fundGas(rpcUrl, signer.address);
    const { contracts } = deployPlan(soleOperator(signer.address, treasury));
    for (const contract of contracts.slice(0, 4)) await deployPlanned(signer, rpcUrl, contract);

    const second = await deployContracts(options(1));
    expect(Number(await sent(1))).toBe(14);
    const first = await readDeployment(folders[0]!, 1002);
    expect({ ...second, chainId: 1002 }).toEqual(first);
  });

  it('carries Multicall3, by which a client reads many things at once and keeps the reason of each failure', async () => {
    const { usdc } = (await readDeployment(folders[0]!, 1002))!;
    const client = createPublicClient({ transport: http(devnets[0]!.rpcUrl) });
    const contract = { address: usdc, abi: erc20Abi } as const;
    const answers = await client.multicall({
      multicallAddress: '0xcA11bde05977b3631167028862bE2a173976CA11',
      contracts: [
        { ...contract, functionName: 'decimals' },
        { ...contract, functionName: 'transferFrom', args: [treasury, treasury, 1n] },
      ],
    });
    expect(answers[0]).toEqual({ status: 'success', result: 6 });
    expect(answers[1]).toMatchObject({
      status: 'failure',
      error: { name: 'ContractFunctionExecutionError' },
    });
  });

  it('is not fooled by other code at one of its addresses', async () => {
    const { ledger } = (await readDeployment(folders[1]!, 84532))!;
    const { rpcUrl } = devnets[1]!;
    const code = await rpc<Hex>(rpcUrl, 'eth_getCode', [ledger, 'latest']);
    await rpc(rpcUrl, 'anvil_setCode', [ledger, '0x6000']);
    await expect(deployContracts(options(1))).rejects.toMatchObject({
      kind: 'reverted',
      message: `Ledger at ${ledger} is not the code it should be`,
    });
    await rpc(rpcUrl, 'anvil_setCode', [ledger, code]);
    await expect(deployContracts(options(1))).resolves.toMatchObject({ ledger });
  });
});

describe('the deployment of an earlier build', () => {
  it('stays in use while it stands, whatever this one would deploy', async () => {
    const first = await readDeployment(folders[0]!, 1002);
    const count = await sent(0);
    const otherTreasury = privateKeyToAddress(generatePrivateKey());
    expect(await deployContracts({ ...options(0), treasury: otherTreasury })).toEqual(first);
    expect(await sent(0)).toBe(count);
  });

  it('is given the contracts that it lacks, for its own agents, and keeps the others', async () => {
    const file = join(folders[0]!, 'deployment-1002.json');
    const first = (await readDeployment(folders[0]!, 1002))!;
    const { certificates, ...earlier } = first;
    writeFileSync(file, JSON.stringify(earlier));
    await expect(readDeployment(folders[0]!, 1002)).rejects.toThrow(/"certificates" must be 0x/);
    await rpc(devnets[0]!.rpcUrl, 'anvil_setCode', [certificates, '0x']);
    await rpc(devnets[0]!.rpcUrl, 'anvil_setNonce', [certificates, '0x0']);
    const count = await sent(0);
    const otherTreasury = privateKeyToAddress(generatePrivateKey());
    expect(await deployContracts({ ...options(0), treasury: otherTreasury })).toEqual(first);
    expect(Number(await sent(0))).toBe(Number(count) + 1);
    expect(await readDeployment(folders[0]!, 1002)).toEqual(first);
  });

  it('is refused with a sentence where its roles were fixed: nothing here could serve its agents', async () => {
    const file = join(folders[0]!, 'deployment-1002.json');
    const whole = readFileSync(file, 'utf8');
    const { manager: _, vault: __, ...earlier } = JSON.parse(whole) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify(earlier));
    const otherTreasury = privateKeyToAddress(generatePrivateKey());
    await expect(deployContracts({ ...options(0), treasury: otherTreasury })).rejects.toThrow(
      /^the contracts on chain 1002 are of a build whose roles were fixed/,
    );
    writeFileSync(file, whole);
  });

  it('is refused with a sentence when the operator lost its key', async () => {
    await expect(
      deployContracts({ ...options(0), operatorPrivateKey: generatePrivateKey() }),
    ).rejects.toThrow(
      /^the contracts on chain 1002 obey 0x\w{40}, not the operator's key: restore it, or choose another DATA_DIR$/,
    );
  });
});

describe('a deployment file', () => {
  const file = () => join(folders[0]!, 'deployment-1002.json');

  it.each([
    ['no JSON', (text: string) => text.slice(0, 20), /cannot be read as JSON: correct it, or remove it$/],
    ['another chain', (text: string) => text.replace('1002', '1003'), /: "chainId" must be 1002$/],
    [
      'no address',
      (text: string) => text.replace(/("ledger": ")0x/, '$1'),
      /: "ledger" must be 0x and 40 hex digits$/,
    ],
    [
      'no block',
      (text: string) => text.replace('"deployedAtBlock": 0', '"deployedAtBlock": "0"'),
      /a block number$/,
    ],
  ])('that holds %s is refused by name', async (_, spoil, message) => {
    const text = readFileSync(file(), 'utf8');
    expect(spoil(text)).not.toBe(text);
    writeFileSync(file(), spoil(text));
    await expect(readDeployment(folders[0]!, 1002)).rejects.toThrow(message);
    writeFileSync(file(), text);
    await expect(readDeployment(folders[0]!, 1002)).resolves.not.toBeNull();
  });

  it('that is absent is null', async () => {
    expect(await readDeployment(folders[0]!, 7)).toBeNull();
  });
});

import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  zeroAddress,
} from 'viem';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import { fundGas } from '../devnet/dev-wallets.ts';
import { ChainError } from '../rpc/chain-error.ts';
import { rpc } from '../rpc/json-rpc.ts';
import { createSigner, type Signer } from '../tx/signer.ts';
import { transact } from '../tx/transact.ts';
import { codeAt, deployPlanned } from './create2.ts';
import { certificatesPlan, type DeployPlan, deployPlan, soleOperator } from './deploy-plan.ts';
import type { Deployment } from './deployment.ts';
import { readDeployment, writeDeployment } from './deployment-file.ts';
import { MULTICALL3, MULTICALL3_CODE } from './multicall3-code.ts';

interface DeployOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** The key that deploys and holds every role: it mints agents and test money, anchors, and is the guardian. */
  readonly operatorPrivateKey: Hex;
  /** Withdraws the platform's fees. */
  readonly treasury: Address;
  /** The folder for the deployment file; when left out, none is written. */
  readonly dataDir?: string;
}

/**
 * Puts every contract on a local chain. Each contract's address depends only on its code and its roles. So another run,
 * also after one that was interrupted, adds what is missing and changes nothing else. Contracts of an earlier build, or
 * with another treasury, stay in use while they are on the chain, because agents live on them.
 * @throws ChainError, and Error when the existing contracts belong to another operator
 */
export async function deployContracts(options: DeployOptions): Promise<Deployment> {
  const { rpcUrl, chainId, dataDir } = options;
  const signer = createSigner({ rpcUrl, chainId, privateKey: options.operatorPrivateKey });
  const plan = deployPlan(soleOperator(signer.address, options.treasury));
  const known = dataDir === undefined ? null : await readDeployment(dataDir, chainId, 'zero');

  await prepareLocalChain(rpcUrl, signer.address);
  if (known !== null && (await stands(rpcUrl, known)) && !isPlanned(known, plan)) {
    if (known.manager === zeroAddress) {
      throw new Error(
        `the contracts on chain ${chainId} are of a build whose roles were fixed, which this one cannot serve: run that build on this DATA_DIR, or choose another`,
      );
    }
    if (isAddressEqual(known.operator, signer.address)) return await withCertificates(options, signer, known);
    throw new Error(
      `the contracts on chain ${chainId} obey ${known.operator}, not the operator's key: restore it, or choose another DATA_DIR`,
    );
  }
  const head = Number(await rpc<Hex>(rpcUrl, 'eth_blockNumber'));
  const begun = (await missing(rpcUrl, plan)).length < plan.contracts.length;
  // Contracts know each other by computed addresses and call nobody in their constructors, so all can be sent at once.
  await Promise.all(plan.contracts.map((contract) => deployPlanned(signer, rpcUrl, contract)));
  const [absent] = await missing(rpcUrl, plan);
  if (absent)
    throw new ChainError('reverted', `${absent.name} at ${absent.address} is not the code it should be`);
  await bindPolicy(signer, plan);

  // When the block of the deployment is unknown, logs are searched from the start.
  const deployedAtBlock = !begun
    ? head
    : known !== null && isPlanned(known, plan)
      ? known.deployedAtBlock
      : 0;
  const deployment: Deployment = { chainId, ...plan.deployment, deployedAtBlock };
  if (dataDir !== undefined) await writeDeployment(dataDir, deployment);
  return deployment;
}

/** Provides gas for the operator, and Multicall3, without which clients cannot say why a call failed. */
async function prepareLocalChain(rpcUrl: string, operator: Address): Promise<void> {
  await fundGas(rpcUrl, operator, 10n ** 24n);
  if ((await codeAt(rpcUrl, MULTICALL3)) === '0x') {
    await rpc(rpcUrl, 'anvil_setCode', [MULTICALL3, MULTICALL3_CODE]);
  }
}

/** Adds certificates to a chain of an earlier build that has none, for its existing agents and settlement. */
async function withCertificates(
  { rpcUrl, dataDir }: DeployOptions,
  signer: Signer,
  known: Deployment,
): Promise<Deployment> {
  if (known.certificates !== zeroAddress) return known;
  const planned = certificatesPlan(known.manager, known.agentNft, known.settlement);
  await deployPlanned(signer, rpcUrl, planned);
  const completed: Deployment = { ...known, certificates: planned.address };
  if (dataDir !== undefined) await writeDeployment(dataDir, completed);
  return completed;
}

const CONTRACTS = [
  'usdc',
  'agentNft',
  'registry',
  'accountImplementation',
  'policy',
  'manager',
  'vault',
  'settlement',
  'ledger',
  'certificates',
  'assets',
  'namesA',
  'namesB',
] as const satisfies readonly (keyof Deployment)[];

async function stands(rpcUrl: string, known: Deployment): Promise<boolean> {
  const placed = CONTRACTS.map((name) => known[name]).filter((address) => address !== zeroAddress);
  const codes = await Promise.all(placed.map((address) => codeAt(rpcUrl, address)));
  return codes.every((code) => code !== '0x');
}

function isPlanned(known: Deployment, { deployment }: DeployPlan): boolean {
  return CONTRACTS.every((name) => isAddressEqual(known[name], deployment[name]));
}

/** The contracts whose code is not at its address. */
async function missing(rpcUrl: string, { contracts }: DeployPlan): Promise<DeployPlan['contracts']> {
  const codes = await Promise.all(contracts.map(({ address }) => codeAt(rpcUrl, address)));
  return contracts.filter(({ isCode }, i) => !isCode(codes[i]!));
}

/** Tells the policy which contracts it serves, once. @throws ChainError when it serves others already */
async function bindPolicy(signer: Signer, { deployment }: DeployPlan): Promise<void> {
  const { policy, agentNft, settlement, certificates } = deployment;
  const bound = async (functionName: 'nft' | 'settlement' | 'certificates'): Promise<Address> => {
    const data = await signer.call({
      to: policy,
      data: encodeFunctionData({ abi: spendPolicyAbi, functionName }),
    });
    return decodeFunctionResult({ abi: spendPolicyAbi, functionName, data });
  };
  if ((await bound('nft')) === zeroAddress) {
    const args = [agentNft, settlement, certificates];
    await transact(signer, { to: policy, abi: spendPolicyAbi, functionName: 'bind', args, gas: 200_000n });
  }
  if (
    !isAddressEqual(await bound('nft'), agentNft) ||
    !isAddressEqual(await bound('settlement'), settlement) ||
    !isAddressEqual(await bound('certificates'), certificates)
  ) {
    throw new ChainError('reverted', `the policy ${policy} is bound to other contracts`);
  }
}

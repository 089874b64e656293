import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  zeroAddress,
} from 'viem';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import { ChainError } from './chain-error.ts';
import { codeAt, deployPlanned } from './create2.ts';
import { certificatesPlan, type DeployPlan, deployPlan, soleOperator } from './deploy-plan.ts';
import type { Deployment } from './deployment.ts';
import { readDeployment, writeDeployment } from './deployment-file.ts';
import { fundGas } from './dev-wallets.ts';
import { rpc } from './json-rpc.ts';
import { MULTICALL3, MULTICALL3_CODE } from './multicall3-code.ts';
import { createSigner, type Signer } from './signer.ts';
import { transact } from './transact.ts';

interface DeployOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** Deploys, and holds every role: mints agents and test money, anchors, guards. */
  readonly operatorPrivateKey: Hex;
  /** Takes the platform fee. */
  readonly treasury: Address;
  /** Where the deployment file goes; unset: nowhere. */
  readonly dataDir?: string;
}

/**
 * Puts every contract on a local chain. Each stands at an address that follows from its code and its roles alone, so
 * that running it again, or after it was cut short anywhere, adds what is missing and changes nothing else. Contracts
 * of an earlier build, or with another treasury, stay in use while they stand: agents live on them.
 * @throws ChainError, and Error when the contracts that stand obey another operator
 */
export async function deployContracts(options: DeployOptions): Promise<Deployment> {
  const { rpcUrl, chainId, dataDir } = options;
  const signer = createSigner({ rpcUrl, chainId, privateKey: options.operatorPrivateKey });
  const plan = deployPlan(soleOperator(signer.address, options.treasury));
  const known = dataDir === undefined ? null : await readDeployment(dataDir, chainId, 'zero');

  await prepareLocalChain(rpcUrl, signer.address);
  if (known !== null && (await stands(rpcUrl, known)) && !isPlanned(known, plan)) {
    if (isAddressEqual(known.operator, signer.address)) return await withCertificates(options, signer, known);
    throw new Error(
      `the contracts on chain ${chainId} obey ${known.operator}, not the operator's key: restore it, or choose another DATA_DIR`,
    );
  }
  const head = Number(await rpc<Hex>(rpcUrl, 'eth_blockNumber'));
  const begun = (await missing(rpcUrl, plan)).length < plan.contracts.length;
  // They know each other by computed addresses and call nobody while they are made: all may go at once.
  await Promise.all(plan.contracts.map((contract) => deployPlanned(signer, rpcUrl, contract)));
  const [absent] = await missing(rpcUrl, plan);
  if (absent)
    throw new ChainError('reverted', `${absent.name} at ${absent.address} is not the code it should be`);
  await bindPolicy(signer, plan);

  // Where it is not known when they were made, whoever looks for their logs looks from the start.
  const deployedAtBlock = !begun
    ? head
    : known !== null && isPlanned(known, plan)
      ? known.deployedAtBlock
      : 0;
  const deployment: Deployment = { chainId, ...plan.deployment, deployedAtBlock };
  if (dataDir !== undefined) await writeDeployment(dataDir, deployment);
  return deployment;
}

/** Gas for the operator, and Multicall3, without which clients lose the reason of a failure. */
async function prepareLocalChain(rpcUrl: string, operator: Address): Promise<void> {
  await fundGas(rpcUrl, operator, 10n ** 24n);
  if ((await codeAt(rpcUrl, MULTICALL3)) === '0x') {
    await rpc(rpcUrl, 'anvil_setCode', [MULTICALL3, MULTICALL3_CODE]);
  }
}

/** A chain of an earlier build has no certificates: they come for the agents and the settlement that stand there. */
async function withCertificates(
  { rpcUrl, dataDir }: DeployOptions,
  signer: Signer,
  known: Deployment,
): Promise<Deployment> {
  if (known.certificates !== zeroAddress) return known;
  const planned = certificatesPlan(
    soleOperator(known.operator, known.treasury),
    known.agentNft,
    known.settlement,
  );
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
  'settlement',
  'ledger',
  'certificates',
  'assets',
] as const satisfies readonly (keyof Deployment)[];

async function stands(rpcUrl: string, known: Deployment): Promise<boolean> {
  const placed = CONTRACTS.map((name) => known[name]).filter((address) => address !== zeroAddress);
  const codes = await Promise.all(placed.map((address) => codeAt(rpcUrl, address)));
  return codes.every((code) => code !== '0x');
}

function isPlanned(known: Deployment, { deployment }: DeployPlan): boolean {
  return CONTRACTS.every((name) => isAddressEqual(known[name], deployment[name]));
}

/** The contracts that do not stand where they should, with the code they should have. */
async function missing(rpcUrl: string, { contracts }: DeployPlan): Promise<DeployPlan['contracts']> {
  const codes = await Promise.all(contracts.map(({ address }) => codeAt(rpcUrl, address)));
  return contracts.filter(({ isCode }, i) => !isCode(codes[i]!));
}

/** Tells the policy whom it serves, once. @throws ChainError when it serves others already */
async function bindPolicy(signer: Signer, { deployment }: DeployPlan): Promise<void> {
  const { policy, agentNft, settlement } = deployment;
  const bound = async (functionName: 'nft' | 'settlement'): Promise<Address> => {
    const data = await signer.call({
      to: policy,
      data: encodeFunctionData({ abi: spendPolicyAbi, functionName }),
    });
    return decodeFunctionResult({ abi: spendPolicyAbi, functionName, data });
  };
  if ((await bound('nft')) === zeroAddress) {
    const args = [agentNft, settlement];
    await transact(signer, { to: policy, abi: spendPolicyAbi, functionName: 'bind', args, gas: 200_000n });
  }
  if (
    !isAddressEqual(await bound('nft'), agentNft) ||
    !isAddressEqual(await bound('settlement'), settlement)
  ) {
    throw new ChainError('reverted', `the policy ${policy} is bound to other contracts`);
  }
}

import { type Address, encodeFunctionData, getAddress, type Hex, isAddressEqual, zeroAddress } from 'viem';
import { spendPolicyAbi } from '../../abi/spend-policy.ts';
import { RpcRefusal } from '../../rpc/json-rpc.ts';
import { CREATE2_FACTORY } from '../create2.ts';
import { type DeployPlan, deployPlan, type PlannedContract } from '../deploy-plan.ts';
import type { Deployment, DeploymentRoles } from '../deployment.ts';
import { readDeploymentFile, writeDeploymentFile } from '../deployment-file.ts';
import { begin, differenceOf, end } from './begun.ts';
import { CREATE2_FACTORY_ORIGIN, inspectFactory, placeFactory } from './factory.ts';
import { type Inspection, inspect } from './inspect.ts';
import { isTestNetwork, readToken } from './money.ts';
import { type Node, openNode, requireCancun } from './node.ts';
import { openPayer, type Payer } from './payer.ts';

export interface RolloutOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly deployerPrivateKey: Hex;
  /** The deployer gets every role that is not named. */
  readonly roles: Partial<Omit<DeploymentRoles, 'deployer'>>;
  /** The address of USDC on that chain; null for test money, on test networks only. */
  readonly token: Address | null;
  /** The deployment file, which is written when the deployment is complete. */
  readonly file: string;
  /** The most that is ever offered, in wei per gas. */
  readonly maxFeePerGas: bigint;
  readonly dryRun: boolean;
  readonly say: (line: string) => void;
}

export interface Rollout {
  readonly deployment: Deployment;
  readonly transactions: number;
  readonly gasUsed: bigint;
  /** In wei. */
  readonly cost: bigint;
  /** Null after a dry run. */
  readonly inspection: Inspection | null;
}

const BIND_GAS = 150_000n;
/** A node behind a load balancer may not know the receipt's block yet. */
const SEEN_MS = 15_000;

/**
 * Puts the contracts on a remote chain, each at the address that its code and the roles determine (CREATE2). So another
 * run adds what is missing, and sends nothing when nothing is. The roles belong to their holders from the first block
 * on, and need not be handed over later. The file is written after everything was read back from the chain.
 * @throws Error with one sentence
 */
export async function rollOut(options: RolloutOptions): Promise<Rollout> {
  const { chainId, file, say, dryRun } = options;
  const node = await openNode(options.rpcUrl, chainId);
  await requireCancun(node);
  const payer = openPayer({
    node,
    privateKey: options.deployerPrivateKey,
    maxFeePerGas: options.maxFeePerGas,
  });
  const roles = rolesFrom(options.roles, payer.address);
  const plan = deployPlan(roles, await moneyOf(node, options.token));
  const head = Number(await node.ask<Hex>('eth_blockNumber'));
  const wanted: Deployment = { chainId, ...plan.deployment, roles, deployedAtBlock: head };

  const known = await readDeploymentFile(file, chainId);
  const difference = known === null ? null : differenceOf(known, wanted);
  if (difference !== null) {
    throw new Error(
      `${file} is of a deployment with ${difference}: give the same again, or another --out to deploy beside it`,
    );
  }
  const factory = await inspectFactory(node);
  // Done first, so that transactions of an earlier run are not sent again.
  if (!dryRun) await payer.settled(say);
  const work = await workOf(node, plan);
  const steps =
    work.contracts.length + (work.bind ? 1 : 0) + (factory.stands ? 0 : factory.lacks > 0n ? 2 : 1);

  const spent = { transactions: 0, gasUsed: 0n, cost: 0n };
  if (steps > 0) {
    const estimate = await estimateOf(payer, work.contracts, factory);
    const gas = estimate.gas + (work.bind ? BIND_GAS : 0n);
    const most = gas * (await payer.price()) + factory.lacks;
    say(
      `${steps} transaction(s) to send from ${payer.address}, ${gas} gas at most: ${ether(most)} coin at most as gas is now`,
    );
    if (dryRun) {
      for (const { name, address } of work.contracts) say(`would put ${name} at ${address}`);
      if (work.bind) say('would bind SpendPolicy to AgentNFT and Settlement');
    }
    await payer.requireBalance(most);
  }
  if (dryRun) return { deployment: wanted, ...spent, inspection: null };

  const deployedAtBlock = known?.deployedAtBlock ?? (await begin(file, wanted));
  const deployment: Deployment = { ...wanted, deployedAtBlock };
  if (!factory.stands) {
    spent.cost += await placeFactory(node, payer, factory);
    spent.transactions += factory.lacks > 0n ? 2 : 1;
    say(`the CREATE2 factory stands at ${CREATE2_FACTORY}`);
  }
  const book = (name: string, paid: { hash: Hex; gasUsed: bigint; cost: bigint }): void => {
    spent.transactions += 1;
    spent.gasUsed += paid.gasUsed;
    spent.cost += paid.cost;
    say(`${spent.transactions}/${steps}  ${name}  ${paid.gasUsed} gas  ${paid.hash}`);
  };
  for (const contract of work.contracts) await place(node, payer, contract, book);
  if (work.bind) await bind(node, payer, deployment, book);

  const inspection = await inspect(node, deployment);
  for (const { subject, says, ok } of [...inspection.code, ...inspection.wiring]) {
    if (!ok) throw new Error(`${subject}: ${says}; the deployment file is not written`);
  }
  // Roles may move later; right after the deployment they must be with their first holders.
  if (known === null && !inspection.asNamed) {
    const astray = inspection.roles.filter(
      ({ holders, named }) => holders.addresses.join() !== getAddress(named),
    );
    say(
      `since they were made, roles have moved: ${astray.map(({ role, contract }) => `${role} of ${contract}`).join(', ')}`,
    );
  }
  if (known === null) await writeDeploymentFile(file, deployment);
  end(file);
  return { deployment, ...spent, inspection };
}

function rolesFrom(named: RolloutOptions['roles'], deployer: Address): DeploymentRoles {
  const { admin, minter, recorder, guardian, issuer, treasury } = named;
  return {
    deployer,
    admin: admin ?? deployer,
    minter: minter ?? deployer,
    recorder: recorder ?? deployer,
    guardian: guardian ?? deployer,
    issuer: issuer ?? deployer,
    treasury: treasury ?? deployer,
  };
}

async function moneyOf(node: Node, token: Address | null) {
  if (token !== null) return await readToken(node, token);
  if (isTestNetwork(node.chainId)) return null;
  throw new Error(
    `chain ${node.chainId} is not a known test network, so no test money is made there: name the USDC that stands on it by --token`,
  );
}

interface Work {
  readonly contracts: readonly PlannedContract[];
  readonly bind: boolean;
}

/**
 * Finds out what is missing.
 * @throws Error that names a contract with other code at its address, or one that serves other contracts for good
 */
async function workOf(node: Node, { contracts, deployment }: DeployPlan): Promise<Work> {
  const codes = await Promise.all(contracts.map(({ address }) => node.code(address)));
  const wrong = contracts.find(({ isCode }, i) => codes[i] !== '0x' && !isCode(codes[i]!));
  if (wrong) throw new Error(notItsCode(wrong));
  const missing = contracts.filter((_, i) => codes[i] === '0x');
  const index = contracts.findIndex(({ field }) => field === 'policy');
  if (codes[index] === '0x') return { contracts: missing, bind: true };
  const { policy: at, agentNft, settlement, certificates } = deployment;
  const [nft, serves, counts] = await Promise.all([
    node.read(at, spendPolicyAbi, 'nft'),
    node.read(at, spendPolicyAbi, 'settlement'),
    node.read(at, spendPolicyAbi, 'certificates'),
  ]);
  if (nft === zeroAddress) return { contracts: missing, bind: true };
  const own = isAddressEqual(nft, agentNft) && isAddressEqual(serves, settlement);
  if (own && isAddressEqual(counts, certificates)) return { contracts: missing, bind: false };
  throw new Error(
    `SpendPolicy at ${at} serves AgentNFT ${nft} and Settlement ${serves} for good, not ${agentNft} and ${settlement}: deploy with the roles of those, or from another key`,
  );
}

function notItsCode({ name, address }: PlannedContract): string {
  return `${name}: at ${address} stands other code than it should be; nothing was sent for it`;
}

/** Constructors call no other contract, so each deployment can be estimated before any is done. */
async function estimateOf(
  payer: Payer,
  contracts: readonly PlannedContract[],
  factory: { readonly stands: boolean },
): Promise<{ gas: bigint }> {
  const each = await Promise.all(
    contracts.map(({ calldata }) =>
      factory.stands
        ? payer.gasFor({ to: CREATE2_FACTORY, data: calldata })
        : // The creation code follows the salt.
          payer.gasFor({ data: `0x${calldata.slice(2 + 64)}` }),
    ),
  );
  const placing = factory.stands ? 0n : CREATE2_FACTORY_ORIGIN.gas;
  return { gas: each.reduce((sum, gas) => sum + gas, placing) };
}

type Book = (name: string, paid: { hash: Hex; gasUsed: bigint; cost: bigint }) => void;

async function place(node: Node, payer: Payer, contract: PlannedContract, book: Book): Promise<void> {
  const { name, address, calldata, isCode } = contract;
  // Somebody else may have deployed it meanwhile. The code is the same, whoever pays.
  if ((await node.code(address)) === '0x') {
    const call = { name, to: CREATE2_FACTORY, data: calldata };
    const gas = await payer.gasFor(call).catch(async (error) => {
      if (error instanceof RpcRefusal && (await node.code(address)) !== '0x') return null;
      throw error instanceof RpcRefusal ? new Error(`${name}: the node refused: ${error.message}`) : error;
    });
    if (gas !== null) book(name, await payer.pay(call, gas));
  }
  const code = await seen(node, address);
  if (code === '0x') throw new Error(`${name} was not made at ${address}: run the same command again`);
  if (!isCode(code)) throw new Error(notItsCode(contract));
}

async function seen(node: Node, address: Address): Promise<Hex> {
  const until = performance.now() + SEEN_MS;
  for (;;) {
    const code = await node.code(address);
    if (code !== '0x' || performance.now() > until) return code;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/**
 * Tells the policy, once and for good, which contracts it serves. It is done last because the contracts refer to each
 * other.
 */
async function bind(node: Node, payer: Payer, deployment: Deployment, book: Book): Promise<void> {
  const { policy, agentNft, settlement, certificates } = deployment;
  if ((await node.read(policy, spendPolicyAbi, 'nft')) !== zeroAddress) return;
  const data = encodeFunctionData({
    abi: spendPolicyAbi,
    functionName: 'bind',
    args: [agentNft, settlement, certificates],
  });
  const paid = await payer.pay({ name: 'SpendPolicy.bind', to: policy, data }, BIND_GAS);
  book('bind SpendPolicy to AgentNFT and Settlement', paid);
  const until = performance.now() + SEEN_MS;
  while ((await node.read(policy, spendPolicyAbi, 'nft')) === zeroAddress && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function ether(wei: bigint): string {
  return (Number(wei / 10n ** 12n) / 1e6).toString();
}

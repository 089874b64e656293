import { type Abi, type Address, isAddressEqual, keccak256, toHex, zeroAddress } from 'viem';
import { agentAccountAbi } from '../abi/agent-account.ts';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { certificatesAbi } from '../abi/certificates.ts';
import { ledgerAbi } from '../abi/ledger.ts';
import { settlementAbi } from '../abi/settlement.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import { testUsdcAbi } from '../abi/test-usdc.ts';
import { deployPlan, soleOperator } from '../deploy-plan.ts';
import type { Deployment, DeploymentRoles } from '../deployment.ts';
import { type Holders, holdersOf } from './holders.ts';
import type { Node } from './node.ts';

export interface Finding {
  readonly subject: string;
  readonly says: string;
  readonly ok: boolean;
}

/** A role as the chain has it now. `named`: who was given it at first. */
export interface RoleFinding {
  readonly role: string;
  readonly contract: string;
  readonly holders: Holders;
  readonly named: Address;
  /** Cannot move, for the life of the contract. */
  readonly fixed: boolean;
  /** A default admin that was begun to be handed over: to whom, and from when it may be accepted (unix seconds). */
  readonly pending?: { readonly to: Address; readonly from: number };
}

export interface Inspection {
  readonly block: number;
  readonly code: readonly Finding[];
  readonly wiring: readonly Finding[];
  readonly roles: readonly RoleFinding[];
  /** Every code is this build's, and every contract serves the one it should. */
  readonly stands: boolean;
  /** Every role is held by the key it was first given to, and by no other that is known. */
  readonly asNamed: boolean;
}

export const MINTER_ROLE = keccak256(toHex('MINTER_ROLE'));
export const ISSUER_ROLE = keccak256(toHex('ISSUER_ROLE'));

export function rolesOf(deployment: Deployment): DeploymentRoles {
  return deployment.roles ?? soleOperator(deployment.operator, deployment.treasury);
}

/** Reads from the chain whether the contracts are what they should be, and who may do what. Sends nothing. */
export async function inspect(node: Node, deployment: Deployment): Promise<Inspection> {
  const block = Number(await node.ask('eth_blockNumber'));
  const code = await inspectCode(node, deployment);
  // What is no contract of ours cannot be asked whom it serves.
  if (code.some(({ ok }) => !ok)) {
    return { block, code, wiring: [], roles: [], stands: false, asNamed: false };
  }
  const [wiring, roles] = await Promise.all([
    inspectWiring(node, deployment),
    inspectRoles(node, deployment),
  ]);
  return {
    block,
    code,
    wiring,
    roles,
    stands: wiring.every(({ ok }) => ok),
    asNamed: roles.every(
      ({ holders, named, pending }) =>
        pending === undefined &&
        holders.addresses.length === 1 &&
        isAddressEqual(holders.addresses[0]!, named),
    ),
  };
}

async function inspectCode(node: Node, deployment: Deployment): Promise<Finding[]> {
  const { usdc, usdcName, usdcVersion } = deployment;
  const foreign = deployment.assets === zeroAddress;
  const plan = deployPlan(rolesOf(deployment), foreign ? { usdc, usdcName, usdcVersion } : null);
  const findings = await Promise.all(
    plan.contracts.map(async ({ name, field, isCode, address: planned }): Promise<Finding> => {
      const address = deployment[field];
      const found = await node.code(address);
      if (found === '0x') return { subject: name, says: `${address}  no contract stands there`, ok: false };
      if (!isCode(found))
        return { subject: name, says: `${address}  other code than this build's`, ok: false };
      // The factory's address follows from code and constructor's values together: only equal ones are wholly ours.
      return isAddressEqual(address, planned)
        ? { subject: name, says: address, ok: true }
        : { subject: name, says: `${address}  made with other values than the file names`, ok: false };
    }),
  );
  if (!foreign) return findings;
  const stands = (await node.code(usdc)) !== '0x';
  const says = stands
    ? `${usdc}  not this build's: ${usdcName}, version ${usdcVersion}`
    : `${usdc}  no contract`;
  return [...findings, { subject: 'settlement token', says, ok: stands }];
}

async function inspectWiring(node: Node, deployment: Deployment): Promise<Finding[]> {
  const { agentNft, policy, settlement, certificates, accountImplementation } = deployment;
  const points = async (
    subject: string,
    [at, abi, functionName]: readonly [Address, Abi, string],
    to: Address,
  ): Promise<Finding> => {
    const found = (await node.read(at, abi, functionName)) as Address;
    const ok = isAddressEqual(found, to);
    const unset = found === zeroAddress ? 'nobody yet' : `${found}, not ${to}`;
    return { subject, says: ok ? to : unset, ok };
  };
  return await Promise.all([
    points('SpendPolicy serves AgentNFT', [policy, spendPolicyAbi, 'nft'], agentNft),
    points('SpendPolicy serves Settlement', [policy, spendPolicyAbi, 'settlement'], settlement),
    points('AgentNFT asks SpendPolicy', [agentNft, agentNftAbi, 'POLICY'], policy),
    points(
      'AgentNFT makes AgentAccounts',
      [agentNft, agentNftAbi, 'ACCOUNT_IMPLEMENTATION'],
      accountImplementation,
    ),
    points('AgentAccount asks SpendPolicy', [accountImplementation, agentAccountAbi, 'POLICY'], policy),
    points('Settlement trusts AgentNFT', [settlement, settlementAbi, 'NFT'], agentNft),
    points('Certificates trust AgentNFT', [certificates, certificatesAbi, 'NFT'], agentNft),
    points('Certificates approve Settlement', [certificates, certificatesAbi, 'SETTLEMENT'], settlement),
  ]);
}

async function inspectRoles(node: Node, deployment: Deployment): Promise<RoleFinding[]> {
  const { agentNft, policy, settlement, ledger, certificates, usdc, assets } = deployment;
  const named = rolesOf(deployment);
  const likely = [...new Set(Object.values(named))];
  const { deployedAtBlock: fromBlock } = deployment;

  const fixed = async (
    role: string,
    contract: string,
    reading: Promise<Address>,
    holder: Address,
  ): Promise<RoleFinding> => ({
    role,
    contract,
    holders: { addresses: [await reading], complete: true },
    named: holder,
    fixed: true,
  });
  const admin = async (contract: string, at: Address): Promise<RoleFinding> => {
    const [holder, [to, from]] = await Promise.all([
      node.read(at, agentNftAbi, 'defaultAdmin'),
      node.read(at, agentNftAbi, 'pendingDefaultAdmin'),
    ]);
    return {
      role: 'default admin',
      contract,
      holders: { addresses: holder === zeroAddress ? [] : [holder], complete: true },
      named: named.admin,
      fixed: false,
      ...(to === zeroAddress ? {} : { pending: { to, from } }),
    };
  };
  const granted = async (role: 'minter' | 'issuer', contract: string, at: Address): Promise<RoleFinding> => ({
    role,
    contract,
    holders: await holdersOf(node, at, role === 'minter' ? MINTER_ROLE : ISSUER_ROLE, { fromBlock, likely }),
    named: named[role],
    fixed: false,
  });

  const roles = [
    admin('AgentNFT', agentNft),
    granted('minter', 'AgentNFT', agentNft),
    admin('Certificates', certificates),
    granted('issuer', 'Certificates', certificates),
    fixed('recorder', 'Ledger', node.read(ledger, ledgerAbi, 'RECORDER'), named.recorder),
    fixed('guardian', 'SpendPolicy', node.read(policy, spendPolicyAbi, 'GUARDIAN'), named.guardian),
    fixed('treasury', 'Settlement', node.read(settlement, settlementAbi, 'TREASURY'), named.treasury),
  ];
  if (assets !== zeroAddress) {
    roles.push(fixed('minter', 'TestUSDC', node.read(usdc, testUsdcAbi, 'MINTER'), named.minter));
  }
  return await Promise.all(roles);
}

import { type Abi, type Address, isAddressEqual, zeroAddress } from 'viem';
import { agentAccountAbi } from '../../abi/agent-account.ts';
import { agentNftAbi } from '../../abi/agent-nft.ts';
import { certificatesAbi } from '../../abi/certificates.ts';
import { feeVaultAbi } from '../../abi/fee-vault.ts';
import { ledgerAbi } from '../../abi/ledger.ts';
import { settlementAbi } from '../../abi/settlement.ts';
import { spendPolicyAbi } from '../../abi/spend-policy.ts';
import { testUsdcAbi } from '../../abi/test-usdc.ts';
import { type ContractField, deployPlan, soleOperator } from '../deploy-plan.ts';
import type { Deployment, DeploymentRoles } from '../deployment.ts';
import { ROLE_NAMES } from '../roles.ts';
import { type Holders, holdersOf } from './holders.ts';
import { type Admissions, admissionsOf, inspectNextVault } from './named-by-admin.ts';
import type { Node } from './node.ts';

export interface Finding {
  readonly subject: string;
  readonly says: string;
  readonly ok: boolean;
}

/** A role as it is on the chain. `named` is its first holder. */
export interface RoleFinding {
  readonly role: string;
  readonly contract: string;
  readonly holders: Holders;
  readonly named: Address;
  /** True for a role that can never be moved. */
  readonly fixed: boolean;
}

export interface Inspection {
  readonly block: number;
  readonly code: readonly Finding[];
  readonly wiring: readonly Finding[];
  readonly roles: readonly RoleFinding[];
  /** What owners may bind their agents to beside this deployment's own; null where the node does not search its logs, or other code wrote them. */
  readonly admissions: Admissions | null;
  /** All code is of this build, and every contract serves the right ones. */
  readonly stands: boolean;
  /** Every role is held by its first holder, and by no other known key. */
  readonly asNamed: boolean;
}

export function rolesOf(deployment: Deployment): DeploymentRoles {
  return deployment.roles ?? soleOperator(deployment.operator, deployment.treasury);
}

/**
 * Reads from the chain whether the contracts are right, and who has which role. Sends nothing. Of contracts that another
 * build made it is told who has which role and what waits as well, as far as what answers for that is as it was: an operator
 * whose key is stolen asks for nothing else.
 */
export async function inspect(node: Node, deployment: Deployment): Promise<Inspection> {
  const block = Number(await node.ask('eth_blockNumber'));
  const code = await inspectCode(node, deployment);
  const isKnown = (field: ContractField): boolean => code.some((of) => of.field === field && of.isCode);
  const isOurs = code.every(({ ok }) => ok);
  const [serving, nextVault, roles, admissions] = await Promise.all([
    // Contracts with other code cannot be asked which contracts they serve.
    isOurs ? inspectWiring(node, deployment) : [],
    isKnown('settlement')
      ? inspectNextVault(node, deployment)
      : { says: `not known: ${OTHER_CODE}`, ok: false },
    isKnown('manager') ? inspectRoles(node, deployment, isKnown('usdc')) : [],
    isKnown('agentNft') && isKnown('policy') ? admissionsOf(node, deployment) : null,
  ]);
  const wiring = [...serving, { subject: 'No other vault waits', ...nextVault }];
  return {
    block,
    code: code.map(({ subject, says, ok }) => ({ subject, says, ok })),
    wiring,
    roles,
    admissions,
    stands: isOurs && wiring.every(({ ok }) => ok),
    asNamed:
      isOurs &&
      roles.every(
        ({ holders, named }) =>
          holders.waiting.length === 0 &&
          holders.delayed.length === 0 &&
          holders.addresses.length === 1 &&
          isAddressEqual(holders.addresses[0]!, named),
      ),
  };
}

/** Of a contract that cannot be asked for anything. */
export const OTHER_CODE = "other code than this build's";

/** What was found of one contract's code. */
interface CodeFinding extends Finding {
  readonly field: ContractField;
  /** Its code is this build's, wherever it stands and whatever values it was made with. */
  readonly isCode: boolean;
}

async function inspectCode(node: Node, deployment: Deployment): Promise<CodeFinding[]> {
  const { usdc, usdcName, usdcVersion } = deployment;
  const foreign = deployment.assets === zeroAddress;
  const plan = deployPlan(rolesOf(deployment), foreign ? { usdc, usdcName, usdcVersion } : null);
  const findings = await Promise.all(
    plan.contracts.map(async ({ name, field, isCode, address: planned }): Promise<CodeFinding> => {
      const address = deployment[field];
      const found = await node.code(address);
      const isKnown = isCode(found);
      // The factory's address depends on the code and the constructor's values, so an equal address proves both.
      const ok = isKnown && isAddressEqual(address, planned);
      const other = isKnown ? 'made by another build, or with other values than the file names' : OTHER_CODE;
      const fault = found === '0x' ? 'no contract stands there' : other;
      return { subject: name, says: ok ? address : `${address}  ${fault}`, ok, field, isCode: isKnown };
    }),
  );
  if (!foreign) return findings;
  const stands = (await node.code(usdc)) !== '0x';
  const says = stands
    ? `${usdc}  not this build's: ${usdcName}, version ${usdcVersion}`
    : `${usdc}  no contract`;
  return [...findings, { subject: 'settlement token', says, ok: stands, field: 'usdc', isCode: false }];
}

async function inspectWiring(node: Node, deployment: Deployment): Promise<Finding[]> {
  const { agentNft, policy, settlement, certificates, accountImplementation, manager, vault, ledger } =
    deployment;
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
    points('Settlement pays FeeVault', [settlement, settlementAbi, 'vault'], vault),
    ...(
      [
        ['SpendPolicy', policy, spendPolicyAbi],
        ['AgentNFT', agentNft, agentNftAbi],
        ['Settlement', settlement, settlementAbi],
        ['Certificates', certificates, certificatesAbi],
        ['Ledger', ledger, ledgerAbi],
        ['FeeVault', vault, feeVaultAbi],
      ] as const
    ).map(([name, at, abi]) => points(`${name} obeys the manager`, [at, abi, 'AUTHORITY'], manager)),
  ]);
}

async function inspectRoles(
  node: Node,
  deployment: Deployment,
  isTestMoney: boolean,
): Promise<RoleFinding[]> {
  const { manager, usdc, deployedAtBlock: fromBlock } = deployment;
  const named = rolesOf(deployment);
  const likely = [...new Set(Object.values(named))];
  const roles = ROLE_NAMES.map(
    async (role): Promise<RoleFinding> => ({
      role,
      contract: 'the platform',
      holders: await holdersOf(node, manager, role, { fromBlock, likely }),
      named: named[role],
      fixed: false,
    }),
  );
  if (isTestMoney) {
    const minter = async (): Promise<RoleFinding> => ({
      role: 'minter',
      contract: 'TestUSDC',
      holders: {
        addresses: [await node.read(usdc, testUsdcAbi, 'MINTER')],
        waiting: [],
        delayed: [],
        former: [],
        complete: true,
      },
      named: named.minter,
      fixed: true,
    });
    roles.push(minter());
  }
  return await Promise.all(roles);
}

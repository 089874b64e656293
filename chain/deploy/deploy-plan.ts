import { type Abi, type Address, encodeDeployData, type Hex, hexToBytes, keccak256, zeroAddress } from 'viem';
import { accessManagerAbi, accessManagerBytecode, accessManagerRuntime } from '../abi/access-manager.ts';
import { agentAccountAbi, agentAccountBytecode, agentAccountRuntime } from '../abi/agent-account.ts';
import { agentNftAbi, agentNftBytecode, agentNftRuntime } from '../abi/agent-nft.ts';
import { certificatesAbi, certificatesBytecode, certificatesRuntime } from '../abi/certificates.ts';
import { demoAssetsAbi, demoAssetsBytecode, demoAssetsRuntime } from '../abi/demo-assets.ts';
import { demoNamesAbi, demoNamesBytecode, demoNamesRuntime } from '../abi/demo-names.ts';
import { feeVaultAbi, feeVaultBytecode, feeVaultRuntime } from '../abi/fee-vault.ts';
import { ledgerAbi, ledgerBytecode, ledgerRuntime } from '../abi/ledger.ts';
import { settlementAbi, settlementBytecode, settlementRuntime } from '../abi/settlement.ts';
import { spendPolicyAbi, spendPolicyBytecode, spendPolicyRuntime } from '../abi/spend-policy.ts';
import { testUsdcAbi, testUsdcBytecode, testUsdcRuntime } from '../abi/test-usdc.ts';
import { type Planned, planCreate2 } from './create2.ts';
import type { Deployment, DeploymentRoles } from './deployment.ts';
import { ERC6551_REGISTRY } from './erc6551-registry.ts';
import { GRANT_DELAY_SECONDS } from './roles.ts';

interface Artefact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly runtime: Runtime;
}

/** What a contract's code on chain must be, apart from the constructor's values. */
interface Runtime {
  readonly length: number;
  readonly immutables: readonly (readonly [start: number, length: number])[];
  readonly codeHash: string;
}

export interface PlannedContract extends Planned {
  /** The field of a deployment that has its address. */
  readonly field: ContractField;
  readonly isCode: (code: Hex) => boolean;
}

export interface DeployPlan {
  /** In the order of their dependencies, the registry first. */
  readonly contracts: readonly PlannedContract[];
  readonly deployment: Omit<Deployment, 'chainId' | 'deployedAtBlock'>;
}

export type ContractField =
  | 'usdc'
  | 'agentNft'
  | 'registry'
  | 'accountImplementation'
  | 'policy'
  | 'manager'
  | 'vault'
  | 'settlement'
  | 'ledger'
  | 'certificates'
  | 'assets'
  | 'namesA'
  | 'namesB';

/** An existing token and its EIP-712 domain. */
export interface SettlementToken {
  readonly usdc: Address;
  readonly usdcName: string;
  readonly usdcVersion: string;
}

/** Gives every role to one key, which also deploys, as on a local chain. */
export function soleOperator(operator: Address, treasury: Address): DeploymentRoles {
  return {
    deployer: operator,
    admin: operator,
    minter: operator,
    recorder: operator,
    guardian: operator,
    issuer: operator,
    treasury,
  };
}

/**
 * Works out every contract's address and code from the holders of the roles, who hold them from the first block on.
 * Sends nothing.
 * @param token null adds test money, the demo assets and two providers of names
 */
export function deployPlan(roles: DeploymentRoles, token: SettlementToken | null = null): DeployPlan {
  const contracts: PlannedContract[] = [registry()];
  const add = (
    field: ContractField,
    name: string,
    { abi, bytecode, runtime }: Artefact,
    args: readonly unknown[] = [],
  ): Address => {
    const planned = planCreate2(name, encodeDeployData({ abi, bytecode, args }));
    contracts.push({ ...planned, field, isCode: (code) => isRuntime(code, runtime) });
    return planned.address;
  };
  const money = token ?? {
    usdc: add(
      'usdc',
      'TestUSDC',
      { abi: testUsdcAbi, bytecode: testUsdcBytecode, runtime: testUsdcRuntime },
      [roles.minter],
    ),
    usdcName: 'USDC',
    usdcVersion: '2',
  };
  const { minter, recorder, issuer, guardian, treasury } = roles;
  const manager = add(
    'manager',
    'DelayedAccessManager',
    { abi: accessManagerAbi, bytecode: accessManagerBytecode, runtime: accessManagerRuntime },
    [roles.admin, GRANT_DELAY_SECONDS, { minter, recorder, issuer, guardian, treasury }],
  );
  const vault = add(
    'vault',
    'FeeVault',
    { abi: feeVaultAbi, bytecode: feeVaultBytecode, runtime: feeVaultRuntime },
    [manager],
  );
  const policy = add(
    'policy',
    'SpendPolicy',
    { abi: spendPolicyAbi, bytecode: spendPolicyBytecode, runtime: spendPolicyRuntime },
    [roles.deployer, manager],
  );
  const accountImplementation = add(
    'accountImplementation',
    'AgentAccount',
    { abi: agentAccountAbi, bytecode: agentAccountBytecode, runtime: agentAccountRuntime },
    [policy],
  );
  const agentNft = add(
    'agentNft',
    'AgentNFT',
    { abi: agentNftAbi, bytecode: agentNftBytecode, runtime: agentNftRuntime },
    [manager, accountImplementation, policy],
  );
  const settlement = add(
    'settlement',
    'Settlement',
    { abi: settlementAbi, bytecode: settlementBytecode, runtime: settlementRuntime },
    [agentNft, manager, vault],
  );
  const certificates = certificatesPlan(manager, agentNft, settlement);
  contracts.push(certificates);
  const ledger = add(
    'ledger',
    'Ledger',
    { abi: ledgerAbi, bytecode: ledgerBytecode, runtime: ledgerRuntime },
    [manager],
  );
  const assets =
    token === null
      ? add('assets', 'DemoAssets', {
          abi: demoAssetsAbi,
          bytecode: demoAssetsBytecode,
          runtime: demoAssetsRuntime,
        })
      : zeroAddress;
  const names = { abi: demoNamesAbi, bytecode: demoNamesBytecode, runtime: demoNamesRuntime };
  const [namesA, namesB] =
    token === null
      ? [
          add('namesA', 'DemoNames of provider A', names, ['Demo names of provider A', 'NAMEA', false]),
          add('namesB', 'DemoNames of provider B', names, ['Demo names of provider B', 'NAMEB', true]),
        ]
      : [zeroAddress, zeroAddress];
  return {
    contracts,
    deployment: {
      ...money,
      agentNft,
      registry: ERC6551_REGISTRY.address,
      accountImplementation,
      policy,
      manager,
      vault,
      settlement,
      ledger,
      certificates: certificates.address,
      assets,
      namesA,
      namesB,
      treasury,
      operator: roles.minter,
    },
  };
}

/** Plans the certificates of real-world lots for an existing agent token and settlement. */
export function certificatesPlan(manager: Address, agentNft: Address, settlement: Address): PlannedContract {
  const args = [manager, agentNft, settlement] as const;
  const initCode = encodeDeployData({ abi: certificatesAbi, bytecode: certificatesBytecode, args });
  return {
    ...planCreate2('Certificates', initCode),
    field: 'certificates',
    isCode: (code) => isRuntime(code, certificatesRuntime),
  };
}

function registry(): PlannedContract {
  const { address, deploymentCalldata, runtimeCodeHash } = ERC6551_REGISTRY;
  return {
    name: 'the ERC-6551 registry',
    field: 'registry',
    address,
    calldata: deploymentCalldata,
    isCode: (code) => keccak256(code) === runtimeCodeHash,
  };
}

/**
 * True for this contract's code. The compiler leaves zeros where the constructor's values go, so the hash is compared
 * with those bytes set to zero again.
 */
function isRuntime(code: Hex, { length, immutables, codeHash }: Runtime): boolean {
  const bytes = hexToBytes(code);
  if (bytes.length !== length) return false;
  for (const [start, size] of immutables) bytes.fill(0, start, start + size);
  return keccak256(bytes) === codeHash;
}

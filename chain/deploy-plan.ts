import { type Abi, type Address, encodeDeployData, type Hex, hexToBytes, keccak256, zeroAddress } from 'viem';
import { agentAccountAbi, agentAccountBytecode, agentAccountRuntime } from './abi/agent-account.ts';
import { agentNftAbi, agentNftBytecode, agentNftRuntime } from './abi/agent-nft.ts';
import { certificatesAbi, certificatesBytecode, certificatesRuntime } from './abi/certificates.ts';
import { demoAssetsAbi, demoAssetsBytecode, demoAssetsRuntime } from './abi/demo-assets.ts';
import { ledgerAbi, ledgerBytecode, ledgerRuntime } from './abi/ledger.ts';
import { settlementAbi, settlementBytecode, settlementRuntime } from './abi/settlement.ts';
import { spendPolicyAbi, spendPolicyBytecode, spendPolicyRuntime } from './abi/spend-policy.ts';
import { testUsdcAbi, testUsdcBytecode, testUsdcRuntime } from './abi/test-usdc.ts';
import { type Planned, planCreate2 } from './create2.ts';
import type { Deployment, DeploymentRoles } from './deployment.ts';
import { ERC6551_REGISTRY } from './erc6551-registry.ts';

interface Artefact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly runtime: Runtime;
}

/** Code as it must stand on chain, whatever its constructor was given. */
interface Runtime {
  readonly length: number;
  readonly immutables: readonly (readonly [start: number, length: number])[];
  readonly codeHash: string;
}

export interface PlannedContract extends Planned {
  /** Where a deployment keeps its address. */
  readonly field: ContractField;
  readonly isCode: (code: Hex) => boolean;
}

export interface DeployPlan {
  /** In the order of their dependence, the registry first. */
  readonly contracts: readonly PlannedContract[];
  readonly deployment: Omit<Deployment, 'chainId' | 'deployedAtBlock'>;
}

type ContractField =
  | 'usdc'
  | 'agentNft'
  | 'registry'
  | 'accountImplementation'
  | 'policy'
  | 'settlement'
  | 'ledger'
  | 'certificates'
  | 'assets';

/** A token that stands already, with its EIP-712 domain. */
export interface SettlementToken {
  readonly usdc: Address;
  readonly usdcName: string;
  readonly usdcVersion: string;
}

/** Every role is one key's, and the deployer's: a local chain. */
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
 * Every contract's address and code, from the holders of the roles alone, who hold them from the first block on. Sends
 * nothing.
 * @param token where it is null, the test money comes along, and the demo assets
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
  const policy = add(
    'policy',
    'SpendPolicy',
    { abi: spendPolicyAbi, bytecode: spendPolicyBytecode, runtime: spendPolicyRuntime },
    [roles.deployer, roles.guardian],
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
    [roles.admin, roles.minter, accountImplementation, policy],
  );
  const settlement = add(
    'settlement',
    'Settlement',
    { abi: settlementAbi, bytecode: settlementBytecode, runtime: settlementRuntime },
    [agentNft, roles.treasury],
  );
  const certificates = certificatesPlan(roles, agentNft, settlement);
  contracts.push(certificates);
  const ledger = add(
    'ledger',
    'Ledger',
    { abi: ledgerAbi, bytecode: ledgerBytecode, runtime: ledgerRuntime },
    [roles.recorder],
  );
  const assets =
    token === null
      ? add('assets', 'DemoAssets', {
          abi: demoAssetsAbi,
          bytecode: demoAssetsBytecode,
          runtime: demoAssetsRuntime,
        })
      : zeroAddress;
  return {
    contracts,
    deployment: {
      ...money,
      agentNft,
      registry: ERC6551_REGISTRY.address,
      accountImplementation,
      policy,
      settlement,
      ledger,
      certificates: certificates.address,
      assets,
      treasury: roles.treasury,
      operator: roles.minter,
    },
  };
}

/** Certificates of real-world lots, which follow the agents' token and the settlement that stand. */
export function certificatesPlan(
  { admin, issuer }: Pick<DeploymentRoles, 'admin' | 'issuer'>,
  agentNft: Address,
  settlement: Address,
): PlannedContract {
  const args = [admin, issuer, agentNft, settlement] as const;
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

/** The compiler leaves zeros where the constructor's values go: with those bytes zero again the hash must agree. */
function isRuntime(code: Hex, { length, immutables, codeHash }: Runtime): boolean {
  const bytes = hexToBytes(code);
  if (bytes.length !== length) return false;
  for (const [start, size] of immutables) bytes.fill(0, start, start + size);
  return keccak256(bytes) === codeHash;
}

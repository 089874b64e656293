import { type Abi, type Address, encodeDeployData, type Hex, hexToBytes, keccak256 } from 'viem';
import { agentAccountAbi, agentAccountBytecode, agentAccountRuntime } from './abi/agent-account.ts';
import { agentNftAbi, agentNftBytecode, agentNftRuntime } from './abi/agent-nft.ts';
import { certificatesAbi, certificatesBytecode, certificatesRuntime } from './abi/certificates.ts';
import { demoAssetsAbi, demoAssetsBytecode, demoAssetsRuntime } from './abi/demo-assets.ts';
import { ledgerAbi, ledgerBytecode, ledgerRuntime } from './abi/ledger.ts';
import { settlementAbi, settlementBytecode, settlementRuntime } from './abi/settlement.ts';
import { spendPolicyAbi, spendPolicyBytecode, spendPolicyRuntime } from './abi/spend-policy.ts';
import { testUsdcAbi, testUsdcBytecode, testUsdcRuntime } from './abi/test-usdc.ts';
import { type Planned, planCreate2 } from './create2.ts';
import type { Deployment } from './deployment.ts';
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
  readonly isCode: (code: Hex) => boolean;
}

export interface DeployPlan {
  /** In the order of their dependence, the registry first. */
  readonly contracts: readonly PlannedContract[];
  readonly deployment: Omit<Deployment, 'chainId' | 'deployedAtBlock'>;
}

/** Every contract's address and code, from the holders of the roles alone. Sends nothing. */
export function deployPlan(operator: Address, treasury: Address): DeployPlan {
  const contracts: PlannedContract[] = [registry()];
  const add = (
    name: string,
    { abi, bytecode, runtime }: Artefact,
    args: readonly unknown[] = [],
  ): Address => {
    const planned = planCreate2(name, encodeDeployData({ abi, bytecode, args }));
    contracts.push({ ...planned, isCode: (code) => isRuntime(code, runtime) });
    return planned.address;
  };
  const usdc = add('TestUSDC', { abi: testUsdcAbi, bytecode: testUsdcBytecode, runtime: testUsdcRuntime }, [
    operator,
  ]);
  const policy = add(
    'SpendPolicy',
    { abi: spendPolicyAbi, bytecode: spendPolicyBytecode, runtime: spendPolicyRuntime },
    [operator, operator],
  );
  const accountImplementation = add(
    'AgentAccount',
    { abi: agentAccountAbi, bytecode: agentAccountBytecode, runtime: agentAccountRuntime },
    [policy],
  );
  const agentNft = add(
    'AgentNFT',
    { abi: agentNftAbi, bytecode: agentNftBytecode, runtime: agentNftRuntime },
    [operator, operator, accountImplementation, policy],
  );
  const settlement = add(
    'Settlement',
    { abi: settlementAbi, bytecode: settlementBytecode, runtime: settlementRuntime },
    [agentNft, treasury],
  );
  const certificates = certificatesPlan(operator, agentNft, settlement);
  contracts.push(certificates);
  const ledger = add('Ledger', { abi: ledgerAbi, bytecode: ledgerBytecode, runtime: ledgerRuntime }, [
    operator,
  ]);
  const assets = add('DemoAssets', {
    abi: demoAssetsAbi,
    bytecode: demoAssetsBytecode,
    runtime: demoAssetsRuntime,
  });
  return {
    contracts,
    deployment: {
      usdc,
      usdcName: 'USDC',
      usdcVersion: '2',
      agentNft,
      registry: ERC6551_REGISTRY.address,
      accountImplementation,
      policy,
      settlement,
      ledger,
      certificates: certificates.address,
      assets,
      treasury,
      operator,
    },
  };
}

/** Certificates of real-world lots, which follow the agents' token and the settlement that stand. */
export function certificatesPlan(operator: Address, agentNft: Address, settlement: Address): PlannedContract {
  const args = [operator, operator, agentNft, settlement] as const;
  const initCode = encodeDeployData({ abi: certificatesAbi, bytecode: certificatesBytecode, args });
  return {
    ...planCreate2('Certificates', initCode),
    isCode: (code) => isRuntime(code, certificatesRuntime),
  };
}

function registry(): PlannedContract {
  const { address, deploymentCalldata, runtimeCodeHash } = ERC6551_REGISTRY;
  return {
    name: 'the ERC-6551 registry',
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

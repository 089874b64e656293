import type { Address } from 'viem';

/** Where the contracts of one chain stand. Written once by the deployment, read by everything else. */
export interface Deployment {
  readonly chainId: number;
  readonly usdc: Address;
  /** EIP-712 domain of the token; x402 clients sign over it. */
  readonly usdcName: string;
  readonly usdcVersion: string;
  readonly agentNft: Address;
  /** The canonical ERC-6551 registry. */
  readonly registry: Address;
  readonly accountImplementation: Address;
  readonly policy: Address;
  readonly settlement: Address;
  readonly ledger: Address;
  /** ERC-721 of real-world lots by serial. */
  readonly certificates: Address;
  /** The demo asset collection, on local chains and test networks; the zero address elsewhere. */
  readonly assets: Address;
  /** Takes the platform fee. */
  readonly treasury: Address;
  /** Mints, anchors, guards and pays gas for settlements. */
  readonly operator: Address;
  readonly deployedAtBlock: number;
  /** Absent where one operator was given everything. */
  readonly roles?: DeploymentRoles;
}

/** Who was given what when the contracts were made. What can move since then is read from the chain. */
export interface DeploymentRoles {
  /** Tells the policy whom it serves, once; then it may nothing. */
  readonly deployer: Address;
  /** Names and removes minters and issuers; handed over in two steps, a day apart. */
  readonly admin: Address;
  readonly minter: Address;
  /** Anchors the records, for the life of the contract. */
  readonly recorder: Address;
  /** Pauses agents and ends session keys, never the reverse, for the life of the contract. */
  readonly guardian: Address;
  readonly issuer: Address;
  /** Takes the platform fee, for the life of the contract. */
  readonly treasury: Address;
}

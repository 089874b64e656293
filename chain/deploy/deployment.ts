import type { Address } from 'viem';

/** The addresses of the contracts on one chain. The deployment writes it once; everything else reads it. */
export interface Deployment {
  readonly chainId: number;
  readonly usdc: Address;
  /** The token's EIP-712 domain, over which x402 clients sign. */
  readonly usdcName: string;
  readonly usdcVersion: string;
  readonly agentNft: Address;
  /** The canonical ERC-6551 registry. */
  readonly registry: Address;
  readonly accountImplementation: Address;
  readonly policy: Address;
  /** Keeps the roles, and makes every grant wait. */
  readonly manager: Address;
  /** Collects the platform's fees, which the treasury withdraws. */
  readonly vault: Address;
  readonly settlement: Address;
  readonly ledger: Address;
  /** The ERC-721 collection of certificates for real-world lots. */
  readonly certificates: Address;
  /** The demo asset collection on local chains and test networks; the zero address on others. */
  readonly assets: Address;
  /** Two providers of names, on local chains and test networks; the zero address on others. */
  readonly namesA: Address;
  readonly namesB: Address;
  /** The first holder of the treasury's role, which withdraws the platform's fees. */
  readonly treasury: Address;
  /** Mints, anchors, is the guardian, and pays gas for settlements. */
  readonly operator: Address;
  readonly deployedAtBlock: number;
  /** Absent when one operator was given every role. */
  readonly roles?: DeploymentRoles;
}

/** Who was given which role at the deployment. Who holds it now must be read from the chain. */
export interface DeploymentRoles {
  /** Tells the policy which contracts it serves, once; after that it has no rights. */
  readonly deployer: Address;
  /** Grants every role, after two days, and revokes it at once. */
  readonly admin: Address;
  readonly minter: Address;
  /** Anchors the records. */
  readonly recorder: Address;
  /** Pauses session keys for up to 72 hours, revokes them, and takes listings back. */
  readonly guardian: Address;
  readonly issuer: Address;
  /** Withdraws the platform's fees. */
  readonly treasury: Address;
}

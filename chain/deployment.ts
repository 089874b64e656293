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
  /** The demo asset collection, on local chains only. */
  readonly assets: Address;
  /** Takes the platform fee. */
  readonly treasury: Address;
  /** Mints, anchors, guards and pays gas for settlements. */
  readonly operator: Address;
  readonly deployedAtBlock: number;
}

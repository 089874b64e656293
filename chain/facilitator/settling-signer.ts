import type { Address, Hex, Log } from 'viem';

/** The key that pays the gas of settlements. */
export interface SettlingSigner {
  readonly address: Address;
  /** In wei per gas: the fee that a settlement offers, and the part of it that goes to the block's author. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** @throws ChainError down (nothing was sent) or unknown (with the transaction's hash) */
  send(transaction: { to: Address; data: Hex; gas: bigint }): Promise<Hex>;
  /** @throws ChainError unknown when no receipt comes in time */
  receipt(hash: Hex, timeoutMs?: number): Promise<{ status: string; logs: Log[]; gasUsed: bigint }>;
}

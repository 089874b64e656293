import type { Fees } from './nonce-store.ts';

/**
 * Raises a fee by at least 12.5 percent, which the strictest of the common nodes demands of both fees of a replacement.
 */
function more(fee: bigint): bigint {
  return (fee * 9n + 7n) / 8n;
}

/**
 * The fees that a transaction must offer to be mined now, in wei per gas. Twice the base fee suffices for six full
 * blocks to come.
 */
export function feesAt(baseFee: bigint, least: Fees): Fees {
  const maxPriorityFeePerGas = least.maxPriorityFeePerGas;
  const wanted = baseFee * 2n + maxPriorityFeePerGas;
  return {
    maxFeePerGas: wanted > least.maxFeePerGas ? wanted : least.maxFeePerGas,
    maxPriorityFeePerGas,
  };
}

/**
 * The fees of a replacement (EIP-1559): both raised by the 12.5 percent that nodes demand, and enough for the present
 * base fee.
 * @returns null when that exceeds the cap
 */
export function raisedFees(fees: Fees, baseFee: bigint, cap: bigint): Fees | null {
  const least = {
    maxFeePerGas: more(fees.maxFeePerGas),
    maxPriorityFeePerGas: more(fees.maxPriorityFeePerGas),
  };
  const raised = feesAt(baseFee, least);
  if (raised.maxFeePerGas <= cap) return raised;
  // Twice the base fee is only a margin. The cap is enough when it covers the next block.
  return least.maxFeePerGas <= cap && baseFee + least.maxPriorityFeePerGas <= cap
    ? { ...least, maxFeePerGas: cap }
    : null;
}

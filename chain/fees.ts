import type { Fees } from './nonce-book.ts';

/** At least 12.5 percent more: what the strictest of the common nodes asks of a replacement, in both fees. */
function more(fee: bigint): bigint {
  return (fee * 9n + 7n) / 8n;
}

/** What a transaction must offer to be taken now: twice the base fee outlives six full blocks. Wei per gas. */
export function feesAt(baseFee: bigint, least: Fees): Fees {
  const maxPriorityFeePerGas = least.maxPriorityFeePerGas;
  const wanted = baseFee * 2n + maxPriorityFeePerGas;
  return {
    maxFeePerGas: wanted > least.maxFeePerGas ? wanted : least.maxFeePerGas,
    maxPriorityFeePerGas,
  };
}

/**
 * The fees of a replacement (EIP-1559, and the 12.5 percent by which nodes tell it from a nuisance): both raised, and
 * enough for the base fee now.
 * @returns null when that is more than may be paid
 */
export function raisedFees(fees: Fees, baseFee: bigint, cap: bigint): Fees | null {
  const least = {
    maxFeePerGas: more(fees.maxFeePerGas),
    maxPriorityFeePerGas: more(fees.maxPriorityFeePerGas),
  };
  const raised = feesAt(baseFee, least);
  if (raised.maxFeePerGas <= cap) return raised;
  // Twice the base fee is a comfort: the cap still does where it covers the block to come.
  return least.maxFeePerGas <= cap && baseFee + least.maxPriorityFeePerGas <= cap
    ? { ...least, maxFeePerGas: cap }
    : null;
}

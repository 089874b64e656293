import { type Address, zeroAddress } from 'viem';
import { agentAccountAbi } from '../abi/agent-account.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainReader, ReaderError } from '../rpc/reader.ts';
import type { DealOnChain } from './settlement.ts';

/** What the buyer's account is asked to pay for a deal. */
export interface Payment extends Pick<DealOnChain, 'seller' | 'buyer' | 'token' | 'price' | 'category'> {
  /** The buyer's session key. */
  readonly key: Address;
}

/**
 * Whether the buyer's account would have paid after a block: its money, its policy and its session key, asked through the
 * settlement's door without a word of the thing that is sold, whose contract can name whatever refusal it likes.
 * @throws ReaderError when the chain does not say
 */
export async function wouldPay(
  reader: ChainReader,
  { settlement }: Deployment,
  { key, seller, buyer, token, price, category }: Payment,
  block: bigint,
): Promise<boolean> {
  const trade = { key, other: seller, token, price, category };
  try {
    await reader.read({
      ...{ address: buyer, abi: agentAccountAbi, functionName: 'payDeal', from: settlement, block },
      args: [trade, 0n, zeroAddress],
    });
    return true;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return false;
    throw error;
  }
}

import { assetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { AppError } from '../../../agents/errors.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { readAgentState } from '../../../chain/clients/agents.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import { overChain } from '../../determinations/public.ts';
import { HOME_CHAIN, type Services } from '../../services.ts';

/**
 * The state in which an agent is sold: the state of its account, which changes with everything that leaves the account.
 * Listing the agent on chain has paused it, so that no payment of its own changes the quoted state.
 * @returns null for an asset that is not an agent
 * @throws AppError conflict while the agent cannot be quoted (bookings that may still be collected, agents of its own),
 *   unavailable when the chain does not answer
 */
export async function quoteOf({ home }: Pick<Services, 'home'>, token: TokenAsset): Promise<bigint | null> {
  const { readers, deployment } = home;
  if (token.chainId !== HOME_CHAIN || !sameAddress(token.contract, deployment.agentNft)) return null;
  return await overChain(HOME_CHAIN, async () => {
    const { number } = await readers.viem.head();
    try {
      return await readAgentState(readers.viem, deployment, BigInt(token.tokenId), number);
    } catch (error) {
      if (!(error instanceof ReaderError) || error.kind !== 'reverted') throw error;
      throw new AppError('conflict', whyNotQuotable(assetKey(token), error), { cause: error });
    }
  });
}

function whyNotQuotable(key: string, { errorName, args }: ReaderError): string {
  if (errorName === 'BookingsOpen') {
    const until = new Date(Number(args[0]) * 1000).toISOString();
    return `${key} is paused now, and payments it has booked may be collected until ${until}: send the same request again then.`;
  }
  if (errorName === 'AgentsHeld')
    return `${key} holds ${args[0]} agents in its account, which may spend on their own: move them out first.`;
  return `${key} cannot be quoted (${errorName ?? 'the chain gives no reason'}).`;
}

import { sameAddress } from '../../agents/ids.ts';
import { readAssetOwner } from '../../chain/clients/assets.ts';
import type { AgentRow } from '../../store/agent/agents.ts';
import { type MayHold, mayHold } from '../../store/market/holdings.ts';
import type { Services } from '../services.ts';

/** The tokens in an agent's account, of those that it listed or bought here. */
export interface Holdings {
  readonly asOfBlock: string;
  readonly tokens: readonly MayHold[];
}

/** Each is a question to the chain. */
const MOST = 25;

/**
 * Asks the chain which of the tokens that an agent listed or bought are in its account now.
 * @returns null where the chain cannot be read: what was held before is not told as held now
 */
export async function holdingsOf(
  { db, home, log }: Pick<Services, 'db' | 'home' | 'log'>,
  { handle, account }: Pick<AgentRow, 'handle' | 'account'>,
): Promise<Holdings | null> {
  const { readers, chainId } = home;
  try {
    const [known, { number }] = await Promise.all([mayHold(db, handle, MOST), readers.viem.head()]);
    const held = await Promise.all(
      known.map(async (one) => {
        const { asset } = one;
        if (asset.kind !== 'token' || asset.chainId !== chainId) return [];
        const owner = await readAssetOwner(readers.viem, asset.contract, BigInt(asset.tokenId), number);
        return owner !== null && sameAddress(owner, account) ? [one] : [];
      }),
    );
    return { asOfBlock: number.toString(), tokens: held.flat() };
  } catch (error) {
    log.info({ handle, error }, 'what an agent holds could not be read');
    return null;
  }
}

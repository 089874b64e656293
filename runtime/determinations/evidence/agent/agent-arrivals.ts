import { assetKey } from '../../../../agents/assets.ts';
import { lowerAddress } from '../../../../agents/ids.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import type { Received } from '../../../../chain/indexer/tokens-received.ts';
import { knownTokens } from '../../../../store/registers/known-tokens.ts';
import type { EvidenceDeps } from '../../deps.ts';
import { trustedContracts } from './trusted-contracts.ts';

/** A token that came to the account of an agent, and what is known of it here. */
export interface Arrival extends Received {
  readonly key: string;
  /** Its contract is known for telling the truth. */
  readonly isTrusted: boolean;
  readonly isEntered: boolean;
  /** It may be what a deal must not sell: it is looked at, however many others came. */
  readonly isKnown: boolean;
  /** A list of goods or the operator named this very token, or whoever owns the agent claims it. */
  readonly isNamed: boolean;
  /** It would be judged, had it not come by a stranger's hand since the agent was listed. */
  readonly isLate: boolean;
  /** Somebody claims it here. */
  readonly isClaimed: boolean;
}

export interface Receiver {
  readonly deployment: Deployment;
  readonly chainId: number;
  /** Who owns the agent; lower case. */
  readonly owners: readonly string[];
}

/** The tokens that came, by either client, in the order of their keys. */
export async function arrivalsOf(
  deps: EvidenceDeps,
  agent: Receiver,
  received: readonly Received[],
): Promise<Arrival[]> {
  const { chainId, owners } = agent;
  const byKey = new Map<string, Received>();
  for (const token of received) {
    const { contract, tokenId } = token;
    const asset = {
      kind: 'token',
      chainId,
      contract: lowerAddress(contract),
      tokenId: `${tokenId}`,
    } as const;
    const key = assetKey(asset);
    const known = byKey.get(key);
    byKey.set(key, {
      ...token,
      asShares: token.asShares || (known?.asShares ?? false),
      isGift: token.isGift && (known?.isGift ?? true),
      block: known === undefined || token.block > known.block ? token.block : known.block,
    });
  }
  if (byKey.size === 0) return [];
  const [tokens, contracts] = await Promise.all([
    knownTokens(deps.db, [...byKey.keys()]),
    trustedContracts(
      deps,
      agent,
      received.map(({ contract }) => lowerAddress(contract)),
    ),
  ]);
  const known = new Map(tokens.map((token) => [token.tokenKey, token]));
  return [...byKey]
    .map(([key, token]) => {
      const { entered = false, claimants = [] } = known.get(key) ?? {};
      const isOwners = claimants.some((who) => owners.includes(who));
      const isKnownHere = contracts.has(lowerAddress(token.contract)) || entered;
      // Whoever wants to spoil a sale sends what is stolen or pledged; what the owner claims is an act of his.
      const isLate = token.isGift && isKnownHere && !isOwners;
      const [isTrusted, isEntered] = [
        contracts.has(lowerAddress(token.contract)) && !token.isGift,
        entered && !token.isGift,
      ];
      const isNamed = isEntered || isOwners;
      return {
        ...{ ...token, key, isTrusted, isEntered, isNamed, isLate },
        isClaimed: claimants.length > 0,
        isKnown: isTrusted || isNamed,
      };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Those first that came late or that somebody claims here: whoever buys the agent may want to look at them himself. */
export function namedFirst(tokens: readonly Arrival[]): Arrival[] {
  const rank = (one: Arrival): number => (one.isLate ? 2 : 0) + (one.isClaimed ? 1 : 0);
  return [...tokens].sort((a, b) => rank(b) - rank(a));
}

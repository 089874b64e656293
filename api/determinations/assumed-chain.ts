import { ASSUMED_CHAIN, type AssetInput } from '../../agents/assets.ts';

interface Things {
  readonly asset?: AssetInput;
  readonly subject?: AssetInput;
  readonly proposal?: { readonly asset?: AssetInput };
}

/**
 * Nobody has to name a chain. Whoever is asked to pay is told which one is judged where none is named.
 * @returns one sentence, or null where each token has its chain
 */
export function assumedChain({ asset, subject, proposal }: Things): string | null {
  const things = { asset, subject, 'proposal.asset': proposal?.asset };
  const without = Object.entries(things)
    .filter(([, thing]) => thing?.contract !== undefined && thing.chainId === undefined)
    .map(([field]) => field);
  if (without.length === 0) return null;
  return `${without.join(', ')}: no chainId is given, and eip155:${ASSUMED_CHAIN} is judged.`;
}

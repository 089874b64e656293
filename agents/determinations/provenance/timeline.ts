import { NOBODY } from '../../ids.ts';
import type { LineageToken } from '../lineage/lineage.ts';
import { type CustodyMove, inOrder, type TokenCustody } from './custody.ts';

/** One move in the custody of a thing, under whichever of its tokens. */
export interface CustodyEvent {
  readonly token: TokenCustody;
  readonly move: CustodyMove;
  /** What the move means for another token of the lineage, in words; null where it means nothing. */
  readonly meaning: string | null;
}

/** Every move of every token of a lineage, chain by chain, the oldest first. */
export function timelineOf(
  custody: readonly TokenCustody[],
  lineage: readonly LineageToken[],
): CustodyEvent[] {
  const chains = [...new Set(custody.map((c) => c.chain))];
  return chains.flatMap((chain) => {
    const here = custody.filter((c) => c.chain === chain);
    // A log has one place on its chain, whichever token it is of.
    const tokenOf = new Map(here.flatMap((token) => token.moves.map((move) => [move, token] as const)));
    return inOrder([...tokenOf.keys()]).map((move) => {
      const token = tokenOf.get(move)!;
      return { token, move, meaning: meaningOf(token, move, lineage) };
    });
  });
}

function meaningOf(
  { chain, contract, tokenId }: TokenCustody,
  { from, to }: CustodyMove,
  lineage: readonly LineageToken[],
): string | null {
  const key = `${chain}/erc721:${contract}/${tokenId}`;
  for (const other of lineage) {
    if (other.from === null) continue;
    const [original, twin] =
      other.relation === 'original' ? [other.key, other.from.key] : [other.from.key, other.key];
    const { role, via } = other.from;
    if (key === original && to === via) return `locked up at the ${role}`;
    if (key === original && from === via) return `out of the ${role} again`;
    if (key === twin && from === NOBODY) return `minted for ${original}`;
    if (key === twin && to === NOBODY) return `burnt for ${original}`;
  }
  return null;
}

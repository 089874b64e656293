import { TIER_DETERMINATIONS } from '../../agents/determinations/panel/types.ts';
import type { FieldError } from '../../agents/errors.ts';
import type { Form } from '../http/forms.ts';
import { given } from './command.ts';

/** What a person knows about a deal, and for which determinations that is enough. */

export type TierDetermination = (typeof TIER_DETERMINATIONS)[number];

/** What each determination needs, in the words of the form. */
export const FACTS_WORDS: Readonly<Record<TierDetermination, string>> = {
  'shill-collusion': 'a listing and its seller',
  'double-pledge': 'a token or a serial',
  provenance: 'a token or a serial',
  'mandate-compliance': 'your agent and a price',
  'price-intelligence': 'a price',
};

const isThing = (typed: Form): boolean => Boolean(typed.contract || typed.tokenId || typed.serial);

/** The determinations of the chosen tier that have the facts they need, and those that do not. */
export function foreseen(typed: Form): { run: TierDetermination[]; not: TierDetermination[] } {
  const enough: Readonly<Record<TierDetermination, boolean>> = {
    'shill-collusion': Boolean(typed.listingRef && typed.seller),
    'double-pledge': isThing(typed),
    provenance: isThing(typed),
    'mandate-compliance': Boolean(typed.handle && typed.priceUsd),
    'price-intelligence': Boolean(typed.priceUsd),
  };
  const ofTier = TIER_DETERMINATIONS.filter((id) => typed.tier === 'tier3' || id !== 'provenance');
  return { run: ofTier.filter((id) => enough[id]), not: ofTier.filter((id) => !enough[id]) };
}

/**
 * Facts of which only a half was typed. The API would accept the request and skip the determination that the person
 * plainly wants, and nobody should pay for that.
 */
export function halfGiven(typed: Form): FieldError[] {
  const { listingRef, seller, handle, priceUsd, counterparty } = typed;
  const half = [
    seller && !listingRef && { path: 'listingRef', message: 'fill it in too: collusion is looked for in it' },
    handle && !priceUsd && { path: 'priceUsd', message: 'fill it in too: the mandate is held against it' },
    counterparty &&
      !handle && { path: 'handle', message: 'fill it in too: its mandate names counterparties' },
  ].filter((wrong) => typeof wrong === 'object');
  if (half.length > 0 || foreseen(typed).run.length > 0) return half;
  const any = 'Say what to look at: a token, a serial, a price, or a listing with its seller.';
  return [{ path: '', message: any }];
}

/** The request body. The price, the listing and the asset are repeated in every place where the API wants them. */
export function evaluationBody(typed: Form): Record<string, unknown> {
  const { listingRef, handle, tier, chainId } = typed;
  const isToken = Boolean(typed.contract || typed.tokenId);
  const thing = {
    ...(isToken && chainId ? { chainId: Number(chainId) } : {}),
    ...given(typed, 'contract', 'tokenId', 'serial', ...(typed.serial ? ['serialKind'] : [])),
  };
  const asset = isThing(typed) ? { asset: thing } : {};
  const proposal = {
    ...given(typed, 'side', 'category', 'priceUsd', 'counterparty', 'listingRef'),
    ...asset,
  };
  return {
    ...given(typed, 'seller', 'listingRef', 'priceUsd', 'handle', 'depth'),
    ...(listingRef ? { lotRef: listingRef } : {}),
    ...asset,
    ...(tier === 'tier3' && isThing(typed) ? { subject: thing } : {}),
    ...(handle ? { proposal } : {}),
  };
}

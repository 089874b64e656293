import { TIER_DETERMINATIONS } from '../../agents/determinations/panel/types.ts';
import type { FieldError } from '../../agents/errors.ts';
import type { Form } from '../http/forms.ts';
import { FORETOLD } from '../words/desk/evaluation.ts';
import { given } from './command.ts';

/** What a person knows about a deal, and for which determinations that is enough. */

export type TierDetermination = (typeof TIER_DETERMINATIONS)[number];

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
    seller && !listingRef && { path: 'listingRef', message: FORETOLD.half.listing },
    handle && !priceUsd && { path: 'priceUsd', message: FORETOLD.half.price },
    counterparty && !handle && { path: 'handle', message: FORETOLD.half.handle },
  ].filter((wrong) => typeof wrong === 'object');
  if (half.length > 0 || foreseen(typed).run.length > 0) return half;
  return [{ path: '', message: FORETOLD.any }];
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

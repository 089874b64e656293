import type { Mandate } from '../../mandate/terms/schema.ts';
import type { Comparable } from '../../market/comparables.ts';
import { marketOf, whyNone } from '../../market/valuation.ts';
import type { ProvenanceCommon } from '../provenance/provenance-evidence.ts';
import { serialOf } from '../provenance/provenance-keys.ts';
import { goodsCheck } from '../provenance/provenance-lists.ts';
import { type RegisterState, usable } from './lists.ts';
import { type DeterminationId, TIER_DETERMINATIONS } from './types.ts';

/** What is known of a lot before anybody deals in it: lists and sales, and what its buyer's or seller's mandate asks. */
export interface Foreseen {
  readonly category: string;
  /** ISO 8601. */
  readonly at: string;
  /** Registers of addresses. */
  readonly sanctions: RegisterState;
  readonly knownScam: RegisterState;
  /** The lot with the registers of goods; look-ups that would be made stand in it as answered. */
  readonly goods: ProvenanceCommon;
  /** Whether a token stands for the lot, whose holders are looked up. */
  readonly held: boolean;
  readonly comparables: readonly Comparable[];
  /** Of the agent that would order; null where none is meant. */
  readonly mandate: Pick<Mandate, 'require_clean' | 'max_pct_of_market' | 'max_pct_of_face'> | null;
}

/**
 * The determinations that could not be judged for a lot as things stand, whoever deals in it: by lists that are missing
 * or too old, and by sales that are too few. What only the chain or the other side will show is not foreseen.
 */
export function foreseeUnjudged(lot: Foreseen): DeterminationId[] {
  const { at, goods, comparables, category, mandate } = lot;
  const addresses = usable(lot.sanctions, at) && usable(lot.knownScam, at);
  const open = new Set<DeterminationId>();
  if (!addresses) open.add('wallet');
  const unread = [
    goodsCheck('list-stolen', goods, 'stolen', at),
    goodsCheck('list-recalled', goods, 'recalled', at),
  ];
  if (
    unread.some((c) => c.outcome === 'INCONCLUSIVE') ||
    serialOf(goods)?.outcome === 'INCONCLUSIVE' ||
    (lot.held && !addresses)
  )
    open.add('provenance');
  if (whyNone(marketOf(comparables, category, at)) !== null) open.add('price-intelligence');
  if (mandate !== null && restsOn(mandate, open)) open.add('mandate-compliance');
  return (['wallet', ...TIER_DETERMINATIONS] as const).filter((id) => open.has(id));
}

/** A mandate that asks for what cannot be judged cannot be held to it. */
function restsOn(mandate: NonNullable<Foreseen['mandate']>, open: ReadonlySet<string>): boolean {
  const { require_clean: clean = [], max_pct_of_market: share, max_pct_of_face: face } = mandate;
  return (
    clean.some((name) => open.has(name)) ||
    (share !== undefined && open.has('price-intelligence')) ||
    face !== undefined
  );
}

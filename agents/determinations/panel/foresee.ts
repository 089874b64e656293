import type { Mandate } from '../../mandate/terms/schema.ts';
import type { Comparable } from '../../market/pricing/comparables.ts';
import type { Attributes } from '../../market/pricing/model/attributes.ts';
import { worthOf } from '../../market/pricing/worth.ts';
import type { ProvenanceCommon } from '../provenance/provenance-evidence.ts';
import { serialOf } from '../provenance/provenance-keys.ts';
import { goodsCheck } from '../provenance/provenance-lists.ts';
import { type RegisterState, usable } from './lists.ts';
import { type DeterminationId, TIER_DETERMINATIONS } from './types.ts';

/** What is known about a lot before anybody trades it: lists, sales, and what the agent's mandate asks for. */
export interface Foreseen {
  readonly category: string;
  /** ISO 8601. */
  readonly at: string;
  /** Registers of addresses. */
  readonly sanctions: RegisterState;
  readonly knownScam: RegisterState;
  /** The lot with the registers of goods; look-ups that would be made are entered as answered. */
  readonly goods: ProvenanceCommon;
  /** Whether a token stands for the lot; the token's holders are then looked up. */
  readonly held: boolean;
  readonly comparables: readonly Comparable[];
  /** What is told of the lot, and by its VIN; null where that is nothing. */
  readonly attributes: Attributes | null;
  /** Whether the listing states a face value, with its source. */
  readonly faceTold: boolean;
  /** The mandate of the agent that would order; null when no agent is meant. */
  readonly mandate: Pick<Mandate, 'require_clean' | 'max_pct_of_market' | 'max_pct_of_face'> | null;
}

/**
 * The determinations that could not be judged for a lot now, whoever trades it, because lists are missing or too old or
 * sales are too few. It does not foresee what only the chain or the other side will show.
 */
export function foreseeUnjudged(lot: Foreseen): DeterminationId[] {
  const { at, goods, mandate } = lot;
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
  if ('unjudged' in worthOf(lot)) open.add('price-intelligence');
  if (mandate !== null && restsOn(mandate, open, lot.faceTold)) open.add('mandate-compliance');
  return (['wallet', ...TIER_DETERMINATIONS] as const).filter((id) => open.has(id));
}

/** Whether a mandate asks for something that cannot be judged; its own compliance could then not be judged either. */
function restsOn(
  mandate: NonNullable<Foreseen['mandate']>,
  open: ReadonlySet<string>,
  faceTold: boolean,
): boolean {
  const { require_clean: clean = [], max_pct_of_market: share, max_pct_of_face: face } = mandate;
  return (
    clean.some((name) => open.has(name)) ||
    (share !== undefined && open.has('price-intelligence')) ||
    (face !== undefined && !faceTold)
  );
}

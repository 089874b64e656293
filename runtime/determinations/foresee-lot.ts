import { type Asset, parseAssetKey } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { foreseeUnjudged } from '../../agents/determinations/panel/foresee.ts';
import type { DeterminationId } from '../../agents/determinations/panel/types.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { faceValueOf } from '../../agents/market/pricing/face-value.ts';
import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import { attributesOf } from '../../store/market/listings.ts';
import type { EvidenceDeps } from './deps.ts';
import { attributesFor } from './evidence/price/past-sales.ts';
import { evidenceNow } from './evidence/price/shared-sales.ts';
import { gatherRegisters } from './evidence/registers/lists.ts';

interface ListedLot {
  /** The key under which it is listed; for a certificate, its serial's. */
  readonly key: string;
  /** The asset that settles. */
  readonly asset: Asset;
  readonly category: string;
  /** What its listing tells; left out: it is read. */
  readonly attributes?: Attributes | null;
}

/**
 * The determinations that could not be judged for a lot now. It reads only the database, and no chain or other service,
 * so that a page may show it to anybody.
 * @param order who would trade; it may still be being read
 * @param order.parties lower-case wallets whose own trades do not count for the price
 * @param order.mandate the mandate of the agent that would order
 */
export async function willNotBeJudged(
  deps: EvidenceDeps,
  lot: ListedLot,
  order: Promise<{ readonly parties: readonly string[]; readonly mandate: Mandate | null }>,
): Promise<DeterminationId[]> {
  const now = deps.now();
  const category = lot.category as Category;
  const [registers, { parties, mandate }, sales, listed] = await Promise.all([
    gatherRegisters(deps.db, ['sanctions', 'known-scam', 'stolen', 'recalled'], [lot.key]),
    order,
    evidenceNow(deps.db, [category]),
    lot.attributes === undefined ? attributesOf(deps.db, lot.key) : lot.attributes,
  ]);
  const attributes = attributesFor(lot.key, listed);
  const comparables = await sales.comparables({ category, lot: lot.key, now, parties, attributes });
  const [sanctions, knownScam, stolen, recalled] = registers;
  const at = now.toISOString();
  // Registers of goods elsewhere are asked by serial when a deal is made; until then they count as answered.
  const asked = parseAssetKey(lot.key).kind === 'serial' ? (deps.lookups ?? []) : [];
  const lookups = asked.map(({ register }) => ({
    ...{ register, name: 'a look-up that is configured', key: lot.key, asOf: at },
    ...{ answer: 'not-listed' as const, reference: null, fault: null },
  }));
  return foreseeUnjudged({
    category,
    at,
    sanctions: sanctions!,
    knownScam: knownScam!,
    goods: { assetKey: lot.key, lot: lot.key, stolen: stolen!, recalled: recalled!, lookups },
    held: lot.asset.kind === 'token',
    comparables,
    attributes,
    faceTold: faceValueOf(listed) !== null,
    mandate,
  });
}

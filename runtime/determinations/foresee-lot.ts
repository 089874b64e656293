import { type Asset, parseAssetKey } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { foreseeUnjudged } from '../../agents/determinations/panel/foresee.ts';
import type { DeterminationId } from '../../agents/determinations/panel/types.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import type { Micro } from '../../agents/money.ts';
import type { EvidenceDeps } from './deps.ts';
import { gatherRegisters } from './evidence/lists.ts';
import { gatherDealPrice } from './evidence/prices.ts';

interface ListedLot {
  /** What it is listed under: a certificate's is its serial's. */
  readonly key: string;
  /** What settles. */
  readonly asset: Asset;
  readonly category: string;
  readonly ask: Micro;
}

/**
 * The determinations that could not be judged for a lot as things stand. Asks the database alone: no chain is read and
 * nobody is called, so that a page may say it to anybody.
 * @param parties lower-case wallets whose own trades say nothing of its price @param mandate of whoever would order
 */
export async function willNotBeJudged(
  deps: EvidenceDeps,
  lot: ListedLot,
  { parties, mandate }: { readonly parties: readonly string[]; readonly mandate: Mandate | null },
): Promise<DeterminationId[]> {
  const now = deps.now();
  const category = lot.category as Category;
  const [registers, priced] = await Promise.all([
    gatherRegisters(deps.db, ['sanctions', 'known-scam', 'stolen', 'recalled'], [lot.key]),
    gatherDealPrice(deps.db, { category, lot: lot.key, parties, price: lot.ask, now }),
  ]);
  const [sanctions, knownScam, stolen, recalled] = registers;
  const at = now.toISOString();
  // Who keeps registers of goods elsewhere is asked by serial, when a deal is made: till then it counts as answered.
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
    comparables: priced.comparables ?? [],
    mandate,
  });
}

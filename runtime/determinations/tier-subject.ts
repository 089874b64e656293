import { type Asset, assetKey } from '../../agents/assets.ts';
import { documentHash } from '../../agents/canonical.ts';
import type { MandateCommon } from '../../agents/determinations/mandate/mandate-evidence.ts';
import type { DeterminationEvidence, DeterminationId } from '../../agents/determinations/panel/types.ts';
import type { ShillCommon } from '../../agents/determinations/shill/shill-evidence.ts';
import { formatUsd, type Micro } from '../../agents/money.ts';

/** What a tier was asked about; null where that was not named. */
interface Named {
  readonly asset: Asset | null;
  readonly handle: string | null;
  readonly lotRef: string | null;
  readonly price: Micro | null;
}

/**
 * What the record of a tier is about: the asset, the agent, the lot, or the price. A lot that is not known here, or an
 * agent without an active mandate, stands by the hash of its name: otherwise whoever pays could file a FLAGGED record
 * about any address or words.
 */
export function tierSubject(
  { asset, handle, lotRef, price }: Named,
  gathered: readonly DeterminationEvidence[],
): string {
  if (asset !== null) return assetKey(asset);
  const common = <C>(id: DeterminationId): C | null =>
    (gathered.find((e) => e.id === id)?.common ?? null) as C | null;
  if (handle !== null) {
    const isKnown = common<MandateCommon>('mandate-compliance')?.agent != null;
    return isKnown ? handle : `agent:${documentHash(handle)}`;
  }
  if (lotRef !== null) {
    const shill = common<ShillCommon>('shill-collusion');
    return shill?.scope === 'lot' && shill.book != null ? lotRef : `lot:${documentHash(lotRef)}`;
  }
  return `price:${formatUsd(price ?? 0n)}`;
}

import type { LoadedDeal } from '../../store/deal/deals.ts';
import type { SignedRecord } from '../../store/records/records.ts';
import { dealRecordId, recordIdOf, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';

type Side = 'buyer' | 'seller';

/**
 * Whether one side, or any side, found something that could stop the deal. A finding that its owner's choice let pass
 * does not count, because nobody has to decide on it.
 */
export function wasFlagged({ findings }: Pick<LoadedDeal, 'findings'>, side?: Side): boolean {
  return findings.some((f) => f.effect !== 'proceed' && (side === undefined || f.side === side));
}

/**
 * The public record of what a finding on a deal caused: it was stopped, or the owner of the side that found it went on.
 * It names no amount and no finding. It exists only for a deal on which something was found.
 * @param told which time both sides determined what it is about, and when it was decided
 */
export async function flagDecision(
  services: Services,
  deal: LoadedDeal,
  decided: { readonly decision: 'stop' } | { readonly decision: 'proceed'; readonly side: Side },
  { round, at }: { readonly round: number; readonly at: Date },
): Promise<SignedRecord> {
  const { deal_id: dealId, asset_key: lot, buyer, seller } = deal;
  const proceeds = decided.decision === 'proceed';
  const again = round === 1 ? '' : `:${round}`;
  const handle = proceeds && decided.side === 'seller' ? seller : buyer;
  return await signRecord(services.signRecord, {
    recordId: recordIdOf('flag-decision', proceeds ? `${dealId}:${decided.side}:proceed${again}` : dealId),
    kind: 'flag-decision',
    issuedAt: at,
    subject: lot,
    parties: [buyer, seller],
    summary: proceeds
      ? `The owner of ${handle} went on with the deal of ${seller} and ${buyer} over ${lot} in spite of what was found.`
      : `A deal of ${seller} and ${buyer} over ${lot} was stopped before settlement.`,
    content: {
      dealId,
      matchId: deal.match_id,
      lot,
      decision: decided.decision,
      determinations: proceeds
        ? [dealRecordId(dealId, decided.side, round)]
        : [dealRecordId(dealId, 'buyer', round), dealRecordId(dealId, 'seller', round)].sort(),
    },
    handle,
  });
}

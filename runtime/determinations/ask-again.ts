import { type AssetInput, parseAssetKey } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import type { MandateCommon } from '../../agents/determinations/mandate/mandate-evidence.ts';
import type {
  DeterminationEvidence,
  RecordEvidence,
  TierRecord,
} from '../../agents/determinations/panel/types.ts';
import type { PledgeCommon } from '../../agents/determinations/pledge/pledge-evidence.ts';
import type { PriceCommon } from '../../agents/determinations/price/price-evidence.ts';
import type { ShillCommon } from '../../agents/determinations/shill/shill-evidence.ts';
import type { WalletCommon } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { formatUsd } from '../../agents/money.ts';
import type { RecordDraft } from '../../agents/records/record.ts';
import { loadDeal } from '../../store/deal/deals.ts';
import type { EvidenceDeps } from './deps.ts';
import { determineDeal } from './determine-deal.ts';
import { determineTier, type TierFacts } from './determine-tier.ts';
import { determineWallet } from './determine-wallet.ts';
import { tierDraft, walletDraft } from './drafts.ts';

interface Asked {
  /** The `content.record` of the determination's record. */
  readonly record: Pick<TierRecord, 'category' | 'priceUsd'>;
  readonly evidence: RecordEvidence;
  readonly parties: readonly string[];
  readonly recordId: string;
  readonly issuedAt: Date;
}

/**
 * Repeats the question of a record's determination, about the same subject and at the same depth, on fresh evidence.
 * @returns the draft of a record
 * @throws AppError as the determination itself; any error of a reader or the database
 */
export async function askAgain(deps: EvidenceDeps, asked: Asked): Promise<RecordDraft> {
  const { evidence, parties, ...filing } = asked;
  const { depth, performer } = evidence.determinations[0]!;
  if (evidence.kind === 'wallet') {
    const { address, chainId, contacts, transaction, origin } = evidence.determinations[0]!
      .common as WalletCommon;
    const chain = chainId === null ? {} : { chainId };
    return walletDraft(
      await determineWallet(deps, {
        address,
        ...chain,
        depth,
        performer,
        contacts,
        transaction,
        origin: origin?.given,
      }),
      filing,
    );
  }
  if (evidence.kind === 'deal') {
    const { dealId, side } = dealIn(evidence);
    const deal = await loadDeal(deps.db, dealId);
    const answer = await determineDeal(deps, {
      dealId,
      side,
      buyer: deal.buyer,
      seller: deal.seller,
      asset: deal.asset,
      listingRef: deal.listing_ref,
      category: deal.category as Category,
      price: deal.price,
      depth,
      performer,
    });
    return tierDraft(answer, filing, parties);
  }
  const { category, priceUsd } = asked.record;
  const answer = await determineTier(deps, {
    tier: evidence.kind,
    category,
    facts: factsOf(evidence),
    depth,
    performer,
    ...(priceUsd === undefined ? {} : { priceUsd }),
  });
  return tierDraft(answer, filing, parties);
}

/** The deal that a record's determinations are about, and the side that made them. */
function dealIn(evidence: RecordEvidence): { dealId: string; side: 'buyer' | 'seller' } {
  const shill = commonOf<ShillCommon>(evidence, 'shill-collusion');
  const mandate = commonOf<MandateCommon>(evidence, 'mandate-compliance');
  if (shill?.scope !== 'deal' || mandate === null) throw new Error('the evidence of a deal names no deal');
  return { dealId: shill.dealId, side: mandate.proposal.side === 'buy' ? 'buyer' : 'seller' };
}

/** The facts of a tier request, as its evidence holds them. */
function factsOf(evidence: RecordEvidence): TierFacts {
  const shill = commonOf<ShillCommon>(evidence, 'shill-collusion');
  const pledge = commonOf<PledgeCommon>(evidence, 'double-pledge');
  const provenance = commonOf<{ readonly assetKey: string }>(evidence, 'provenance');
  const price = commonOf<PriceCommon>(evidence, 'price-intelligence');
  const mandate = commonOf<MandateCommon>(evidence, 'mandate-compliance');
  const lot = pledge?.assetKey ?? price?.subject ?? null;
  return {
    ...(shill?.scope === 'lot' ? { lotRef: shill.lotRef, seller: shill.seller } : {}),
    ...(pledge === null
      ? {}
      : {
          asset: inputOf(pledge.assetKey),
          ...(pledge.listingRef === null ? {} : { listingRef: pledge.listingRef }),
          ...(pledge.handle === null ? {} : { handle: pledge.handle }),
        }),
    ...(provenance === null ? {} : { subject: inputOf(provenance.assetKey) }),
    ...(price === null ? {} : { priceUsd: price.priceUsd }),
    ...(mandate === null
      ? {}
      : {
          handle: mandate.handle,
          proposal: {
            side: mandate.proposal.side,
            category: mandate.proposal.category,
            priceUsd: formatUsd(BigInt(mandate.proposal.price)),
            chainId: mandate.proposal.chainId,
            ...(mandate.proposal.counterparty === null
              ? {}
              : { counterparty: mandate.proposal.counterparty }),
            ...(lot === null ? {} : { asset: inputOf(lot) }),
          },
        }),
  };
}

function commonOf<Common>(evidence: RecordEvidence, id: DeterminationEvidence['id']): Common | null {
  return (evidence.determinations.find((d) => d.id === id)?.common ?? null) as Common | null;
}

function inputOf(key: string): AssetInput {
  const asset = parseAssetKey(key);
  return asset.kind === 'token'
    ? { chainId: asset.chainId, contract: asset.contract, tokenId: asset.tokenId }
    : { serial: asset.serial, serialKind: asset.serialKind };
}

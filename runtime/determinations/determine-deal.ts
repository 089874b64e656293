import { type Asset, assetKey } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { rollUpTier } from '../../agents/determinations/panel/rollup.ts';
import type { Depth, DeterminationEvidence, Performer } from '../../agents/determinations/panel/types.ts';
import type { PriceCommon } from '../../agents/determinations/price/price-evidence.ts';
import { readAddress } from '../../agents/determinations/wallet/address.ts';
import { AppError } from '../../agents/errors.ts';
import type { Micro } from '../../agents/money.ts';
import { agentByToken, findAgents } from '../../store/agent/agents.ts';
import { batchKeys } from '../../store/batched-keys.ts';
import { lotKeyOf } from '../../store/certificates/certificates.ts';
import { type DealMatch, matchOfDeal } from '../../store/deal/deals.ts';
import type { DealFinding } from '../../store/json-columns.ts';
import { askModels } from './ask-models.ts';
import { type EvidenceDeps, spentBy } from './deps.ts';
import { hardFlagsOf, type TierAnswer, verdictsOf } from './determine-tier.ts';
import { requireDepth } from './determine-wallet.ts';
import { contentsOf } from './evidence/agent/agent-contents.ts';
import { type AgentRow, asAgent } from './evidence/mandate/mandate.ts';
import { gatherPledges } from './evidence/pledges.ts';
import { gatherDealPrice } from './evidence/price/prices.ts';
import { withTies } from './evidence/price/sale-ties.ts';
import { gatherProvenance } from './evidence/provenance/provenance.ts';
import { gatherWallet } from './evidence/wallet/wallet.ts';
import { gatherIdentities, gatherMandateEvidence, gatherUnread } from './gather.ts';

interface DealQuestion {
  readonly dealId: string;
  /** Its match, where it was read already; null: there is no such deal. */
  readonly match?: DealMatch | null;
  /** The side that asks and determines on the other side. */
  readonly side: 'buyer' | 'seller';
  readonly buyer: string;
  readonly seller: string;
  readonly asset: Asset;
  readonly listingRef: string;
  readonly category: Category;
  readonly price: Micro;
  readonly depth: Depth | null;
  readonly performer: Performer;
}

export interface DealAnswer extends TierAnswer {
  /** Without their effects, which depend on the owner's choices. */
  readonly findings: readonly Omit<DealFinding, 'effect'>[];
}

/**
 * Runs the determinations of one side of a deal before it signs: the other side's account, self-dealing, double pledge,
 * where the goods come from, whether the price fits the market, and whether its own mandate allows the deal. Facts that
 * cannot be read are INCONCLUSIVE in the answer.
 * @throws AppError not-found when one of the agents is unknown
 */
export async function determineDeal(deps: EvidenceDeps, question: DealQuestion): Promise<DealAnswer> {
  const { dealId, asset, listingRef, category, depth, performer } = question;
  requireDepth(performer, depth);
  const mode = { depth, performer };
  const [sides, match, lot, contents] = await Promise.all([
    requireAgents(deps, [question.buyer, question.seller]),
    question.match === undefined ? matchOfDeal(deps.db, dealId) : question.match,
    lotKeyOf(deps.db, assetKey(asset)),
    contentsOf(deps, asset),
  ]);
  const [buyer, seller] = sides;
  // The beneficial owners of its two sides, for whom its orders were placed.
  const owners = match === null ? [] : [match.buyer_owner, match.seller_owner];
  // Each side asks of the other what the other asks of it.
  batchKeys(deps.db, [buyer.account, seller.account]);
  batchKeys(deps.db, [buyer.owner, seller.owner]);
  const sold = contents === null ? null : await handleOf(deps, asset as TokenAsset);
  const [self, other] = question.side === 'buyer' ? [buyer, seller] : [seller, buyer];
  // These promises are started last: if one failed while something else was awaited, nobody would handle it, and the
  // process would end.
  const gathered: Promise<DeterminationEvidence>[] = [
    gatherWallet(deps, {
      address: readAddress(other.account),
      chainId: other.chainId,
      compared: { asker: self.owner, named: true },
      ...mode,
    }),
    gatherIdentities(deps, mode, { dealId, match, price: question.price }, { buyer, seller }),
    gatherPledges(deps, mode, {
      ...{ asset, listingRef, handle: null },
      contents: contents === null ? null : { ...contents.contents, judged: true },
    }),
    gatherProvenance(deps, mode, asset, { inDeal: true }),
    // What an agent holds goes with it, and is judged as if it were sold by itself.
    ...(contents?.judged ?? []).flatMap(({ asset: held, claimants, walked }) => [
      gatherPledges(deps, mode, { asset: held, listingRef: null, handle: sold, claimants }),
      ...(walked ? [gatherProvenance(deps, mode, held, { inDeal: true })] : []),
    ]),
    gatherUnread(deps, 'price-intelligence', mode, async () =>
      withTies(
        deps,
        await gatherDealPrice(deps.db, {
          category,
          lot,
          // Sales name the owners behind any accounts, as the deal does.
          parties: [...new Set([buyer.owner, seller.owner, ...owners])],
          price: question.price,
          now: deps.now(),
        }),
      ),
    ),
  ];
  const own = spentBy(deps, { kind: 'agent', name: self.handle });
  const others = await Promise.all(gathered.map(async (evidence) => askModels(own, await evidence)));
  const before = others.map((evidence) => judge(evidence));
  const price = others.find(isPrice);
  const limits = await gatherMandateEvidence(deps, mode, {
    handle: self.handle,
    agent: self,
    ...{ sides, owners },
    proposal: {
      side: question.side === 'buyer' ? 'buy' : 'sell',
      category,
      price: question.price.toString(),
      chainId: asset.kind === 'token' ? asset.chainId : self.chainId,
      counterparty: other.account,
    },
    dealId,
    lot,
    verdicts: verdictsOf(before),
    ...(price === undefined ? {} : { price }),
  });
  const mandate = await askModels(own, limits);
  const determinations = [...before, judge(mandate)];
  const record = rollUpTier({ tier: 'deal', category }, determinations, []);
  return {
    record,
    evidence: { kind: 'deal', determinations: [...others, mandate] },
    subject: assetKey(asset),
    hardFlags: hardFlagsOf(determinations),
    findings: record.determinations
      .filter((d) => d.verdict !== 'CLEAN')
      .map((d) => ({
        side: question.side,
        determination: d.id,
        verdict: d.verdict,
        hard: hardFlagsOf([d]).length > 0,
        about: d.id === 'wallet' ? other.account : null,
        reasons: d.reasons,
      })),
  };
}

function isPrice(evidence: DeterminationEvidence): evidence is DeterminationEvidence<PriceCommon> {
  return evidence.id === 'price-intelligence';
}

/** The agent that a token of the agents' collection is. */
async function handleOf(
  deps: EvidenceDeps,
  { chainId, contract, tokenId }: TokenAsset,
): Promise<string | null> {
  const token = { chainId, contract: contract.toLowerCase(), tokenId: BigInt(tokenId) };
  return (await agentByToken(deps.db, token))?.handle ?? null;
}

async function requireAgents(
  deps: EvidenceDeps,
  handles: readonly [string, string],
): Promise<readonly [AgentRow, AgentRow]> {
  const found = await findAgents(deps.db, handles);
  const [one, other] = found.map((row, i) => {
    if (row === null) throw new AppError('not-found', `There is no agent "${handles[i]}".`);
    return asAgent(row);
  });
  return [one!, other!];
}

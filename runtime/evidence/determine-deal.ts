import { type Asset, assetKey } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { readAddress } from '../../agents/determinations/address.ts';
import { judge } from '../../agents/determinations/judge.ts';
import { rollUpTier } from '../../agents/determinations/rollup.ts';
import {
  type Depth,
  type DeterminationEvidence,
  type DeterminationId,
  type Performer,
  TIER_DETERMINATIONS,
} from '../../agents/determinations/types.ts';
import { AppError } from '../../agents/errors.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import type { Micro } from '../../agents/money.ts';
import { findMandate } from '../../store/agents.ts';
import { lotKeyOf } from '../../store/certificates.ts';
import type { EvidenceDeps } from './deps.ts';
import { hardFlagsOf, type TierAnswer, verdictsOf } from './determine-tier.ts';
import { requireDepth } from './determine-wallet.ts';
import { gatherIdentities, gatherMandateEvidence, gatherUnread } from './gather.ts';
import { hear } from './hear.ts';
import { type AgentRow, findAgent } from './mandate.ts';
import { gatherPledges } from './pledges.ts';
import { gatherPrice, saysMarket } from './prices.ts';
import { gatherProvenance, registersOfGoods } from './provenance.ts';
import { gatherWallet } from './wallet.ts';

interface DealQuestion {
  readonly dealId: string;
  /** Who asks: this side determines on the other. */
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

/** One hard or soft finding of a deal as the deal's row keeps it; platform history reads hard ones by `about`. */
export interface DealFinding {
  readonly side: 'buyer' | 'seller';
  readonly determination: string;
  readonly verdict: string;
  readonly hard: boolean;
  /** The address that a wallet finding speaks of, lower case. */
  readonly about: string | null;
  readonly reasons: readonly string[];
}

export interface DealAnswer extends TierAnswer {
  readonly findings: readonly DealFinding[];
}

/**
 * What one side of a deal determines before it signs: the other's account, self-dealing, double pledge, where the goods
 * come from, whether the price fits the market, and whether its own mandate allows it. Facts that cannot be read are INCONCLUSIVE in the answer.
 * @throws AppError not-found when one of the agents is unknown
 */
export async function determineDeal(deps: EvidenceDeps, question: DealQuestion): Promise<DealAnswer> {
  const { dealId, asset, listingRef, category, depth, performer } = question;
  requireDepth(performer, depth);
  const mode = { depth, performer };
  const [buyer, seller] = await Promise.all([
    requireAgent(deps, question.buyer),
    requireAgent(deps, question.seller),
  ]);
  const [self, other] = question.side === 'buyer' ? [buyer, seller] : [seller, buyer];
  // Where no register of goods can be asked it is listed as not run, unless the mandate will not do without it.
  const provenance =
    (await requires(deps, self.handle, 'provenance')) || (await registersOfGoods(deps, asset));
  // Likewise the price, where too few sales of the lot or its kind are known to say anything of it.
  const lot = await lotKeyOf(deps.db, assetKey(asset));
  const priced = await gatherPrice(deps.db, {
    category,
    lot,
    parties: [buyer.owner, seller.owner],
    price: question.price,
    now: deps.now(),
  });
  const market = saysMarket(priced, deps.now()) || (await requires(deps, self.handle, 'price-intelligence'));
  // Begun last of all: a promise that fails while something else is waited for is nobody's, and ends the process.
  const gathered: Promise<DeterminationEvidence>[] = [
    gatherWallet(deps, {
      address: readAddress(other.account),
      chainId: other.chainId,
      compared: { asker: self.owner, named: true },
      ...mode,
    }),
    gatherIdentities(deps, mode, dealId, { buyer, seller }),
    gatherPledges(deps, mode, { asset, listingRef, handle: null }),
    ...(provenance ? [gatherProvenance(deps, mode, asset)] : []),
    ...(market ? [gatherUnread(deps, 'price-intelligence', mode, async () => priced)] : []),
  ];
  const others = await Promise.all(gathered.map(async (evidence) => hear(deps, await evidence)));
  const before = others.map((evidence) => judge(evidence));
  const limits = await gatherMandateEvidence(deps, mode, {
    handle: self.handle,
    agent: self,
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
  });
  const mandate = await hear(deps, limits);
  const determinations = [...before, judge(mandate)];
  const notRun = TIER_DETERMINATIONS.filter((id) => !determinations.some((d) => d.id === id));
  const record = rollUpTier({ tier: 'deal', category }, determinations, notRun);
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

async function requires(deps: EvidenceDeps, handle: string, id: DeterminationId): Promise<boolean> {
  const mandate = (await findMandate(deps.db, handle))?.structured as unknown as Mandate | null | undefined;
  return mandate?.require_clean?.includes(id) ?? false;
}

async function requireAgent(deps: EvidenceDeps, handle: string): Promise<AgentRow> {
  const agent = await findAgent(deps.db, handle);
  if (agent === null) throw new AppError('not-found', `There is no agent "${handle}".`);
  return agent;
}

import type {
  MandateChainFacts,
  MandateCommon,
} from '../../agents/determinations/mandate/mandate-evidence.ts';
import { RULES_OF_NOW } from '../../agents/determinations/panel/rules-of-now.ts';
import type { DeterminationEvidence, DeterminationId } from '../../agents/determinations/panel/types.ts';
import type {
  DealHistory,
  DealParty,
  ShillCommon,
  ShillFacts,
} from '../../agents/determinations/shill/shill-evidence.ts';
import type { Micro } from '../../agents/money.ts';
import type { DealMatch } from '../../store/deal/deals.ts';
import { caip2, type EvidenceDeps, msSince } from './deps.ts';
import { type AgentRow, gatherMandate, readMandate } from './evidence/mandate/mandate.ts';
import { gatherDealMoney } from './evidence/shill/deal-money.ts';
import { gatherDealHistory } from './evidence/shill/dealings.ts';
import { gatherDealBids } from './evidence/shill/lot-book.ts';
import { readIdentities } from './evidence/shill/ownership.ts';
import { oneSource, runPanel } from './panel.ts';
import { pinBlocks } from './pins.ts';

type Mode = Pick<DeterminationEvidence, 'depth' | 'performer'>;

/** Gathers evidence for which no chain is read; every seat judges the same rows by its own method. */
export async function gatherUnread<Common>(
  deps: EvidenceDeps,
  id: DeterminationId,
  mode: Mode,
  common: () => Promise<Common>,
): Promise<DeterminationEvidence<Common, object>> {
  const started = deps.now();
  const rows = await common();
  const seats = await runPanel<object>(deps, {
    depth: mode.depth,
    chains: [],
    source: oneSource("this platform's registers"),
    gather: async () => ({}),
  });
  return {
    id,
    ...RULES_OF_NOW,
    at: started.toISOString(),
    ...mode,
    common: rows,
    blocks: {},
    seats,
    latencyMs: msSince(deps, started),
  };
}

/** Gathers the mandate, the platform's rows, and the agent's live terms as every seat reads them. */
export async function gatherMandateEvidence(
  deps: EvidenceDeps,
  mode: Mode,
  question: Omit<Parameters<typeof gatherMandate>[1], 'now'>,
): Promise<DeterminationEvidence<MandateCommon, MandateChainFacts>> {
  const started = deps.now();
  const { agent } = question;
  const chains = agent !== null && deps.readers.has(agent.chainId) ? [agent.chainId] : [];
  const blocks = await pinBlocks(deps, chains);
  const [common, seats] = await Promise.all([
    gatherMandate(deps, { ...question, now: started }),
    runPanel<MandateChainFacts>(deps, {
      depth: mode.depth,
      chains,
      gather: ({ of }) => {
        const chainId = agent?.chainId ?? 0;
        return readMandate(of(chainId), deps.deployments.get(chainId), agent, blocks);
      },
    }),
  ]);
  return {
    id: 'mandate-compliance',
    ...RULES_OF_NOW,
    at: started.toISOString(),
    ...mode,
    common,
    blocks,
    seats,
    latencyMs: msSince(deps, started),
  };
}

/** The history of an unknown deal; it is incomplete, so that the deal cannot be CLEAN by it. */
function unknownDeal(dealId: string): DealHistory {
  const nobody = { lot: '', seller: `seller of ${dealId}`, buyer: `buyer of ${dealId}` };
  const nothing = { trades: [], deals: { seller: 0, buyer: 0 }, sellerSideBids: 0, complete: false };
  return { days: 0, ...nobody, ...nothing };
}

/** Gathers the owners behind both sides of a deal, which every seat reads live, and their earlier deals. */
export async function gatherIdentities(
  deps: EvidenceDeps,
  mode: Mode,
  {
    dealId,
    match,
    price,
  }: { readonly dealId: string; readonly match: DealMatch | null; readonly price: Micro },
  sides: { readonly buyer: AgentRow; readonly seller: AgentRow },
): Promise<DeterminationEvidence<ShillCommon, ShillFacts>> {
  const started = deps.now();
  const { buyer, seller } = sides;
  const chainId = seller.chainId;
  const chains = deps.readers.has(chainId) ? [chainId] : [];
  const blocks = await pinBlocks(deps, chains);
  const accounts = { buyer: buyer.account, seller: seller.account };
  const [history, bids, money, seats] = await Promise.all([
    gatherDealHistory(deps.db, dealId, started),
    match === null ? null : gatherDealBids(deps.db, match, started),
    gatherDealMoney(deps, { dealId, chainId, blocks, accounts }),
    runPanel<ShillFacts>(deps, {
      depth: mode.depth,
      chains,
      gather: ({ of }) =>
        readIdentities(deps.db, of(chainId), deps.deployments.get(chainId), [buyer, seller], {
          blocks,
          at: started,
        }),
    }),
  ]);
  const party = (role: DealParty['role'], { handle, account, sessionKey }: AgentRow): DealParty => ({
    role,
    handle,
    account,
    sessionKey,
  });
  return {
    id: 'shill-collusion',
    ...RULES_OF_NOW,
    at: started.toISOString(),
    ...mode,
    common: {
      scope: 'deal',
      dealId,
      chain: caip2(chainId),
      parties: [party('buyer', buyer), party('seller', seller)],
      price: price.toString(),
      history: history ?? unknownDeal(dealId),
      bids,
      ...(money === undefined ? {} : { money }),
    },
    blocks,
    seats,
    latencyMs: msSince(deps, started),
  };
}

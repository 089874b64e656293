import { DUST_USD, type TransferHistory } from '../../../../agents/determinations/wallet/money/flows.ts';
import { type FlowRow, ownTransfers, sumFlows } from '../../../../store/chain-sync/flows.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../../deps.ts';
import { dustedBy } from './dusted.ts';
import { readExplorer } from './explorer-history.ts';
import { followFurther } from './follow-further.ts';
import { cutsOf, flowsOf, type Move, netsOf } from './moves.ts';
import type { TransferPlan } from './plan.ts';

/** Transfers in earnest of the address itself that are summed up, each way, and of everybody to whom money is followed. */
const MOST_OWN = 5_000;
const MOST_OTHERS = 1_000;
/** How many parties are followed further, each way, at each hop: those of the most value. */
const FOLLOWED = [10, 20] as const;

/** Gathers what is known of the transfers of an address on one chain. A source that fails is named with its fault. */
export async function gatherTransferHistory(
  deps: EvidenceDeps,
  plan: TransferPlan,
  who: string,
): Promise<TransferHistory> {
  const chain = caip2(plan.chainId);
  const nothing = {
    ...{ chain, fromBlock: null, toBlock: null, cutOff: null, fault: plan.fault, hops: 0, flows: [] },
    ...{ first: null, nets: null, nativeDust: plan.nativeDust.toString() },
  };
  const source = nameOf(deps, plan);
  try {
    if (plan.source === 'none') return { ...nothing, source, ...recentAlone(plan) };
    const reading = plan.source === 'index' ? readIndex(deps, plan, who) : readExplorer(deps, plan, who);
    return { ...nothing, source, ...(await within(reading, chainTimeoutMs(deps), source)) };
  } catch (error) {
    return { ...nothing, source, fault: faultOf(error) };
  }
}

function nameOf(deps: EvidenceDeps, { source, chainId }: TransferPlan): string {
  if (source === 'index') return "this service's index of transfers";
  if (source === 'explorer') return `the explorer ${deps.explorers?.get(chainId)?.endpoint}`;
  return 'recent logs alone';
}

/** Where no source is configured, each seat's own logs are all there is. */
function recentAlone({ tailFrom, origin, tokens }: TransferPlan): Partial<TransferHistory> {
  if (tailFrom <= origin)
    return { cutOff: null, nets: tokens.map(({ token }) => ({ token: token.toLowerCase(), net: '0' })) };
  return { cutOff: `nothing before block ${tailFrom} was looked at, and no native currency` };
}

async function readIndex(
  deps: EvidenceDeps,
  plan: TransferPlan,
  who: string,
): Promise<Partial<TransferHistory>> {
  const { chainId, historyTo, indexFrom, origin, nativeDust } = plan;
  const until = historyTo!;
  const dust = { native: nativeDust, token: DUST_USD };
  const asked = { until, most: MOST_OWN, dust };
  const { flows: rows, first: oldest, toBlock } = await ownTransfers(deps.db, chainId, who, asked);
  if (toBlock === null || toBlock < until)
    throw new Error('the chain went another way while its transfers were read');
  const own = asMoves(rows);
  const flows = flowsOf(own, plan);
  const [further, dusted] = await Promise.all([
    followFurther(flows, { followed: FOLLOWED, nativeDust }, async (addresses) => {
      const theirs = await sumFlows(deps.db, chainId, addresses, until, MOST_OTHERS);
      return flowsOf(asMoves(theirs), plan, cutsOf(theirs, 'earnest', MOST_OTHERS));
    }),
    dustedBy(deps, { plan, who, rows, flows, dust }),
  ]);
  const cut = cutsOf(rows, 'earnest', MOST_OWN).length > 0;
  const cutDust = cutsOf(rows, 'newest', MOST_OWN).length > 0;
  const late = indexFrom! > origin ? `transfers before block ${indexFrom} are not kept` : null;
  const only = cut
    ? 'only the newest'
    : 'of dust, and of what it sent to itself, only what is among the newest';
  return {
    ...{ fromBlock: indexFrom!.toString(), toBlock: until.toString() },
    cutOff: cut || cutDust ? `${only} ${MOST_OWN} transfers each way were looked at` : late,
    ...{ flows: further.flows, hops: further.hops, ...dusted },
    // Before what is kept, somebody else may have paid.
    first: late === null ? oldest : null,
    nets: cut || cutDust || late !== null || plan.fault !== null ? null : netsOf(own, who, plan),
  };
}

function asMoves(rows: readonly FlowRow[]): Move[] {
  return rows.map(({ who, way, party, token, amount, transfers, last }) => ({
    ...{ who, way, party, token, amount: BigInt(amount), transfers, last },
  }));
}

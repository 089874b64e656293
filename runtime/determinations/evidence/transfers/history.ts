import {
  DUST_USD,
  type Flows,
  type TransferHistory,
} from '../../../../agents/determinations/wallet/flows.ts';
import { alikeAlone } from '../../../../agents/determinations/wallet/look-alike.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import { type FlowRow, ownTransfers, sumFlows } from '../../../../store/chain-sync/flows.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../../deps.ts';
import { readExplorer } from './explorer-history.ts';
import { followFurther } from './follow-further.ts';
import { flowsOf, type Move, netsOf } from './moves.ts';
import { nativeDust, type TransferPlan } from './plan.ts';

/** Transfers of the address itself that are summed up, each way, and of everybody to whom money is followed. */
const MOST_OWN = 5_000;
const MOST_OTHERS = 300;
/** How many parties are followed further, each way, at each hop: those of the most value. */
const FOLLOWED = [10, 20] as const;
/** How many of those who got nothing but dust are looked at. */
const MOST_DUSTED = 20;

/** Gathers what is known of the transfers of an address on one chain. A source that fails is named with its fault. */
export async function gatherTransferHistory(
  deps: EvidenceDeps,
  plan: TransferPlan,
  who: string,
): Promise<TransferHistory> {
  const chain = caip2(plan.chainId);
  const dust = nativeDust(deps, plan.chainId);
  const nothing = {
    ...{ chain, fromBlock: null, toBlock: null, cutOff: null, fault: plan.fault, hops: 0, flows: [] },
    ...{ first: null, nets: null, nativeDust: dust.toString(), poisoned: [] },
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
  const { chainId, historyTo, indexFrom, origin } = plan;
  const until = historyTo!;
  const dust = nativeDust(deps, chainId);
  const asMoves = (rows: readonly FlowRow[]): Move[] =>
    rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  const movesOf = async (addresses: readonly string[], most: number): Promise<Move[]> =>
    asMoves(await sumFlows(deps.db, chainId, addresses, until, most));
  const asked = { until, most: MOST_OWN, dust: { native: dust, token: DUST_USD } };
  const { flows: rows, first: oldest, toBlock } = await ownTransfers(deps.db, chainId, who, asked);
  const own = asMoves(rows);
  if (toBlock === null || toBlock < until)
    throw new Error('the chain went another way while its transfers were read');
  const cut = (['in', 'out'] as const).some((way) => transfersOf(own, way) >= MOST_OWN);
  const flows = flowsOf(own, plan);
  const [further, poisoned] = await Promise.all([
    followFurther(flows, FOLLOWED, async (addresses) => flowsOf(await movesOf(addresses, MOST_OTHERS), plan)),
    poisonedBy(who, flows, dust, async (addresses) => flowsOf(await movesOf(addresses, MOST_OTHERS), plan)),
  ]);
  const late = indexFrom! > origin ? `transfers before block ${indexFrom} are not kept` : null;
  return {
    ...{ fromBlock: indexFrom!.toString(), toBlock: until.toString() },
    cutOff: cut ? `only the newest ${MOST_OWN} transfers each way were looked at` : late,
    ...{ flows: further.flows, hops: further.hops, poisoned },
    // Before what is kept, somebody else may have paid.
    first: late === null ? oldest : null,
    nets: cut || late !== null || plan.fault !== null ? null : netsOf(own, who, plan),
  };
}

function transfersOf(moves: readonly Move[], way: Move['way']): number {
  return moves.filter((m) => m.way === way).reduce((sum, m) => sum + m.transfers, 0);
}

/** Of those between whom and the address only dust moved: with whom they deal in earnest and who looks like it. */
async function poisonedBy(
  who: string,
  flows: readonly Flows[],
  dust: bigint,
  read: (addresses: readonly string[]) => Promise<Flows[]>,
): Promise<TransferHistory['poisoned']> {
  const isDust = (p: Flows['parties'][number]) => BigInt(p.usd) < DUST_USD && BigInt(p.native) < dust;
  const parties = flows.flatMap((f) => f.parties);
  const earnest = new Set(parties.filter((p) => !isDust(p)).map((p) => p.address));
  const dusted = parties.map((p) => p.address).filter((a) => a !== NOBODY && !earnest.has(a));
  const asked = [...new Set(dusted)].sort().slice(0, MOST_DUSTED);
  const theirs = await read(asked);
  return asked.flatMap((of) => {
    const dealt = theirs.filter((f) => f.of === of).flatMap((f) => f.parties.filter((p) => !isDust(p)));
    const { addresses } = alikeAlone(who, { days: 0, addresses: dealt.map((p) => p.address) });
    return addresses.length === 0 ? [] : [{ of, addresses: [...new Set(addresses)].sort() }];
  });
}

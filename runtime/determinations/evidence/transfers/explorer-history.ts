import { behaviourOf, type Movement } from '../../../../agents/determinations/wallet/behaviour/behaviour.ts';
import { DUST_USD, type TransferHistory } from '../../../../agents/determinations/wallet/money/flows.ts';
import type { Explorer, ExplorerTransfer } from '../../../../chain/explorer/explorer.ts';
import { caip2, type EvidenceDeps } from '../../deps.ts';
import { readDeployer } from './deployer.ts';
import { followFurther } from './follow-further.ts';
import { flowsOf, type Move, netsOf } from './moves.ts';
import { microOf, type TransferPlan } from './plan.ts';

/** How many parties are followed one hop further, each way: each costs an explorer several questions. */
const FOLLOWED = [2] as const;

/**
 * What an explorer lists about an address, and about those with whom it moved the most. Dollar tokens are taken up to
 * the block from which each seat reads them itself.
 * @throws ExplorerError
 */
export async function readExplorer(
  deps: EvidenceDeps,
  plan: TransferPlan,
  who: string,
): Promise<Partial<TransferHistory>> {
  const explorer = deps.explorers!.get(plan.chainId)!;
  const [{ transfers, cutOff, fromStart, sent }, deployer] = await Promise.all([
    explorer.transfers(who, plan.block, tokensOf(plan)),
    readDeployer(deps, plan, explorer, who as `0x${string}`),
  ]);
  const known = transfers.filter((t) => t.token === null || t.block <= (plan.historyTo ?? -1n));
  const own = known.flatMap((t) => movesOf(t, who));
  const flows = flowsOf(own, plan);
  const [chain, source] = [caip2(plan.chainId), `the explorer ${explorer.endpoint}`];
  const native = transfers.filter((t) => t.token === null).map(movement);
  const further = await followFurther(
    flows,
    { followed: FOLLOWED, nativeDust: plan.nativeDust },
    async (addresses) =>
      (await Promise.all(addresses.map((address) => theirs(explorer, plan, address)))).flat(),
  );
  return {
    ...{ fromBlock: plan.origin.toString(), toBlock: (plan.historyTo ?? plan.block).toString() },
    ...(cutOff
      ? { cutOff: 'the explorer lists only a part of its history', partial: true }
      : { cutOff: null }),
    ...{ flows: further.flows, hops: further.hops },
    ...(native.length === 0
      ? {}
      : { behaviour: behaviourOf(who, native, { chain, source, complete: !cutOff }) }),
    ...(deployer === undefined ? {} : { deployer }),
    ...(cutOff ? {} : { native: { net: netOf(transfers, who).toString(), sent } }),
    first: fromStart ? firstOf(plan, known, who) : null,
    nets: cutOff ? null : netsOf(own, who, plan),
  };
}

function tokensOf({ tokens }: TransferPlan): string[] {
  return tokens.map(({ token }) => token.toLowerCase());
}

/** What it sent to itself counts as come in: so explorers list what a bridge of the OP Stack mints. */
function netOf(transfers: readonly ExplorerTransfer[], who: string): bigint {
  return transfers
    .filter((t) => t.token === null)
    .reduce((sum, t) => sum + (t.to === who ? t.amount : -t.amount), 0n);
}

function movement({ from, to, amount, timestamp }: ExplorerTransfer): Movement {
  return { from, to, value: Number(amount), at: Number(timestamp) * 1000 };
}

async function theirs(explorer: Explorer, plan: TransferPlan, address: string) {
  const { transfers, cutOff } = await explorer.transfers(address, plan.block, tokensOf(plan));
  const moves = transfers.flatMap((t) => movesOf(t, address));
  const ways = cutOff ? (['in', 'out'] as const) : [];
  return flowsOf(
    moves,
    plan,
    ways.map((way) => ({ of: address, way })),
  );
}

function movesOf({ from, to, token, amount, timestamp }: ExplorerTransfer, who: string): Move[] {
  const last = new Date(Number(timestamp) * 1000);
  const move = { who, token, amount, transfers: 1, last };
  if (from === to) return [];
  return to === who ? [{ ...move, way: 'in', party: from }] : [{ ...move, way: 'out', party: to }];
}

function firstOf(
  plan: TransferPlan,
  transfers: readonly ExplorerTransfer[],
  who: string,
): TransferHistory['first'] {
  const counts = ({ from, to, token, amount }: ExplorerTransfer): boolean => {
    if (to !== who || from === who) return false;
    if (token === null) return amount >= plan.nativeDust;
    const dollar = plan.tokens.find((t) => t.token.toLowerCase() === token);
    return dollar !== undefined && microOf(amount, dollar) >= DUST_USD;
  };
  const oldest = transfers.filter(counts).at(-1);
  return oldest === undefined
    ? null
    : { address: oldest.from, tx: oldest.tx, block: oldest.block.toString() };
}

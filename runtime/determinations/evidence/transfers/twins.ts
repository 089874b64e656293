import type { SeatReading } from '../../../../agents/determinations/panel/types.ts';
import { accountKind } from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { WalletCommon, WalletFacts } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { findTwins } from '../../../../store/chain-sync/flows.ts';
import { caip2, type EvidenceDeps } from '../../deps.ts';
import type { TransferPlan } from './plan.ts';

/**
 * Which contracts have the same code as the address, byte by byte, on the chains whose blocks are followed here. A proxy
 * has the code of all others of its kind; what it runs is looked up elsewhere.
 */
export async function gatherTwins(
  { db }: EvidenceDeps,
  plans: readonly TransferPlan[],
  seats: readonly SeatReading<WalletFacts>[],
  who: string,
): Promise<NonNullable<WalletCommon['twins']>> {
  const found = plans.map(async ({ chainId, source, historyTo }) => {
    const chain = caip2(chainId);
    const codes = seats.flatMap((s) => s.facts?.chains.find((c) => c.chain === chain)?.code ?? []);
    const code = codes.find((c) => c.hash !== null && accountKind(c).kind === 'contract');
    if (source !== 'index' || code === undefined) return [];
    const { hash } = code;
    return [
      { chain, hash: hash!, ...(await findTwins(db, chainId, hash!, { until: historyTo!, not: who })) },
    ];
  });
  return (await Promise.all(found)).flat();
}

import type { Finding, WalletView } from '../wallet/wallet-findings.ts';
import { decodeCall, isBait } from './call-data.ts';
import { type InnerCall, unfolded } from './inner-calls.ts';
import { isKnown } from './known-contracts.ts';
import { type Leaving, leavingFrom } from './leaving.ts';
import { ownAccounts } from './own-accounts.ts';
import { appliedIn } from './spoken-calls.ts';
import { tradeFindings } from './trades.ts';
import type { AskedTransaction, Simulation } from './transaction-evidence.ts';
import { isMoreThanDust, worthOf } from './worth.ts';

/**
 * How a transaction takes what the sender's accounts hold; none where it pays, trades or deposits as its calls say.
 * Somebody who sends a token by the token itself, or the native currency without a call, sees what leaves and to whom.
 */
export function drainFindings(view: WalletView, tx: AskedTransaction, seen: Simulation): Finding[] {
  const { calls } = unfolded(tx);
  const own = ownAccounts(view.common, tx, seen, view.facts);
  return own.flatMap((account) => {
    const mine = calls.filter((call) => call.account === account.address);
    const leaving = leavingFrom(account, { tx, seen, mine });
    const found = throughKnown(view, mine)
      ? tradeFindings(view.common, seen, leaving)
      : takings(view, tx, leaving, mine);
    // What a contract of the sender's does by itself may be what it is for.
    return account.how === 'told'
      ? found.map((f) => ({
          ...f,
          outcome: 'INCONCLUSIVE' as const,
          says: `of ${account.address}: ${f.says}`,
        }))
      : found;
  });
}

/** Whether all that an account calls with data is known to do what its users want. */
function throughKnown({ common }: WalletView, mine: readonly InnerCall[]): boolean {
  const applied = appliedIn(mine);
  return applied.length > 0 && applied.every(({ to, delegated }) => !delegated && isKnown(to, common));
}

/** By calls of what nobody knows. */
function takings(
  { common }: WalletView,
  tx: AskedTransaction,
  { foreign, gained, heavy, unread, ...leaving }: Leaving,
  mine: readonly InnerCall[],
): Finding[] {
  // A contract that gives a token of its own for what it takes holds a deposit, like one that is called itself.
  const receipts = new Set(gained.filter(isMoreThanDust).map(({ asset }) => asset.token));
  const takers = leaving.takers.filter((who) => !receipts.has(who));
  if (takers.length === 0) return [];
  const worth = worthOf(common, tx.chain, { gained, lost: foreign });
  if (worth === 'known') return [];
  const open = (says: string): Finding => ({ outcome: 'INCONCLUSIVE', says });
  const unknown = unread
    ? [open(`how much of it is left is not known, and it goes to ${takers.join(', ')}`)]
    : [];
  if (worth === 'unknown')
    return [
      ...heavy.map((says) => open(`${says}, and what comes for it is worth nobody knows what`)),
      ...unknown,
    ];
  const bait = mine.find(({ value, data }) => value > 0n && isBait(decodeCall(data)));
  const isPassedOn = bait !== undefined && foreign.some(({ asset }) => asset.kind === 'native');
  return [
    ...heavy.map((says): Finding => ({ outcome: 'FLAG', says: `${says}, and nothing comes` })),
    ...(isPassedOn
      ? [
          {
            outcome: 'FLAG' as const,
            says: `"${decodeCall(bait.data).name}" passes the value on to ${takers.join(', ')}, and nothing comes`,
          },
        ]
      : []),
    ...unknown,
  ];
}

import { accountKind } from '../wallet/code/account-code.ts';
import type { WalletCommon } from '../wallet/wallet-evidence.ts';
import type { Finding } from '../wallet/wallet-findings.ts';
import { nameOf } from './compare.ts';
import type { Leaving } from './leaving.ts';
import type { Simulation } from './transaction-evidence.ts';
import { isMoreThanDust, type Moved } from './worth.ts';

/**
 * By calls of contracts that are known to do what their users want, which is whatever the data says. What such a contract
 * keeps is a deposit, and what somebody gives something else for is traded; but what is bought may be sent to anybody.
 */
export function tradeFindings(
  common: Pick<WalletCommon, 'address'>,
  seen: Simulation,
  leaving: Leaving,
): Finding[] {
  const { foreign, gained, others, heavy } = leaving;
  if (foreign.length === 0) return [];
  const lose = new Set(seen.changes.filter((c) => c.delta.startsWith('-')).map((c) => c.party));
  const receivers = others.filter((who) => !lose.has(who));
  if (gained.some(isMoreThanDust)) {
    const most = receivers.filter((who) => hasTheMost(who, seen, leaving));
    if (most.length === 0) return [];
    return [
      { outcome: 'INCONCLUSIVE', says: `more of what is paid for goes to ${most.join(', ')} than comes` },
    ];
  }
  if (others.length === 0) return [];
  const [first] = receivers;
  const to = (first === undefined ? others : receivers).join(', ');
  if (heavy.length > 0) {
    const outcome = receivers.some((who) => isKeysAlone(who, seen)) ? 'FLAG' : 'INCONCLUSIVE';
    return heavy.map((says) => ({ outcome, says: `${says}, nothing comes, and ${to} gets what is bought` }));
  }
  // Bought for the one that was asked about.
  if (receivers.length === 1 && first === common.address.toLowerCase()) return [];
  return [
    {
      outcome: 'INCONCLUSIVE',
      says: `${foreign.map(({ asset }) => nameOf(asset)).join(', ')} leaves, nothing comes, and ${to} gets what is bought`,
    },
  ];
}

/**
 * Whether somebody who gives nothing gets half of what leaves, or more of what comes than the account itself. What a
 * token's own contract puts in beside it is its own: tokens with a fee sell what they took before in the same trade.
 */
function hasTheMost(who: string, { changes }: Simulation, { foreign, gained }: Leaving): boolean {
  // A token that keeps what it takes gives itself for it.
  if (changes.some((c) => c.asset.token === who)) return false;
  const besides = (left: Moved): bigint =>
    changes
      .filter((c) => c.party === c.asset.token && nameOf(c.asset) === nameOf(left.asset))
      .reduce((sum, c) => (c.delta.startsWith('-') ? sum - BigInt(c.delta) : sum), 0n);
  return changes
    .filter((c) => c.party === who && BigInt(c.delta) > 0n)
    .some((c) => {
      const delta = BigInt(c.delta);
      const left = foreign.find(({ asset }) => nameOf(asset) === nameOf(c.asset));
      if (left !== undefined) return delta * 2n >= -left.delta;
      const comes = gained.find(({ asset }) => nameOf(asset) === nameOf(c.asset))?.delta ?? 0n;
      return !foreign.some((f) => delta * -f.delta <= comes * (-f.delta + 2n * besides(f)));
    });
}

/** Whether a key alone decides over an account, or nothing is known of it. */
function isKeysAlone(who: string, seen: Simulation): boolean {
  const code = seen.parties.find((p) => p.address === who)?.code;
  if (code === undefined) return true;
  const { kind } = accountKind(code);
  return kind === 'plain' || kind === 'delegated';
}

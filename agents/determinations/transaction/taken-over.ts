import type { Finding, WalletView } from '../wallet/wallet-findings.ts';
import { MULTISENDS, unfolded } from './inner-calls.ts';
import { ownAccounts } from './own-accounts.ts';
import type { AskedTransaction, OwnerChange, Simulation } from './transaction-evidence.ts';

/** What changes who decides over the very contract that is called, or which code runs there. */
const OF_TARGET: ReadonlySet<string> = new Set([
  ...['RoleGranted', 'Upgraded', 'BeaconUpgraded'],
  ...['AddedOwner', 'RemovedOwner', 'ChangedThreshold', 'EnabledModule', 'ChangedGuard'],
  ...['ChangedModuleGuard', 'ChangedFallbackHandler', 'ChangedMasterCopy'],
  // As the contract itself tells before and after.
  ...['getOwners()', 'getThreshold()', 'owner()', 'masterCopy()', 'implementation()'],
]);

/** What a transaction says, and does, that lets others decide over what the sender decides over. */
export function takeOverFindings(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  const own = new Set(ownAccounts(view.common, tx, seen, view.facts).map(({ address }) => address));
  own.add(view.common.address.toLowerCase());
  const changed = (seen?.owners ?? []).filter((o) => isAgainst(o, own, tx));
  return [
    ...delegations(tx),
    ...changed.map((o): Finding => {
      const to = o.to === null ? '' : ` to ${o.to}`;
      return { outcome: 'FLAG', says: `it changes who decides over ${o.contract}: ${o.event}${to}` };
    }),
  ];
}

function isAgainst(o: OwnerChange, own: ReadonlySet<string>, tx: AskedTransaction): boolean {
  const isLost = o.from !== null && own.has(o.from) && o.to !== o.from;
  return (
    isLost || own.has(o.contract) || (OF_TARGET.has(o.event) && o.contract === tx.to && o.to !== tx.from)
  );
}

/** Code that runs as an account may write who owns it and which code it has, without an event that tells it. */
function delegations(tx: AskedTransaction): Finding[] {
  const { calls, unread } = unfolded(tx);
  const foreign = calls.filter(({ to, delegated }) => delegated && !MULTISENDS.has(to));
  return [
    ...foreign.map(({ account, to }): Finding => {
      const says = `the code of ${to} would run as ${account} itself (DELEGATECALL), and may change who decides over it`;
      return { outcome: 'FLAG', says };
    }),
    ...(unread
      ? [{ outcome: 'INCONCLUSIVE' as const, says: 'what it makes an account call cannot be read' }]
      : []),
  ];
}

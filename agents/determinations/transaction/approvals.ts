import { accountKind } from '../wallet/code/account-code.ts';
import { sweepingShapes } from '../wallet/code/code-shape.ts';
import type { Finding, WalletView } from '../wallet/wallet-findings.ts';
import { decodeCall, intendedApproval } from './call-data.ts';
import { unfolded } from './inner-calls.ts';
import { isKnown } from './known-contracts.ts';
import { ownAccounts } from './own-accounts.ts';
import type { Approval, AskedTransaction, Simulation } from './transaction-evidence.ts';
import { isUnlimited } from './transaction-result.ts';

/** Power over so much of what somebody holds, in percent, is power over all of it. */
const MOST = 90n;

/** The approvals that the sender's accounts give: as simulated, else as the calls say. */
export function approvalFindings(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  const own = ownAccounts(view.common, tx, seen, view.facts);
  const given = seen?.outcome === 'success' ? seen.approvals : intendedIn(tx);
  const found = given
    .filter((a) => a.amount !== '0' && !isKnown(a.spender, view.common))
    .flatMap((a): Finding[] => {
      const whose = own.find(({ address }) => address === a.owner);
      if (whose === undefined || a.spender === tx.from) return [];
      const gets = `gets ${powerOf(a)}${whose.how === 'sender' ? '' : ` of ${a.owner}`}`;
      const why = strangerTo(a, seen);
      // What a contract of the sender's does by itself may be what it is for.
      const outcome = whose.how === 'told' ? 'INCONCLUSIVE' : 'FLAG';
      if (why !== null) return [{ outcome, says: `${a.spender}, ${why}, ${gets}` }];
      const open = openTo(a, seen);
      return open === null ? [] : [{ outcome: 'INCONCLUSIVE', says: `${a.spender}, ${open}, ${gets}` }];
    });
  return seen?.outcome === 'success' ? found : [...found, ...unknownEffects(seen)];
}

function intendedIn(tx: AskedTransaction): Approval[] {
  return unfolded(tx).calls.flatMap(({ account, to, data, delegated }) => {
    const intended = delegated ? null : intendedApproval({ from: account, to }, decodeCall(data));
    return intended === null ? [] : [intended];
  });
}

export function unknownEffects(seen: Simulation | null): Finding[] {
  const why = seen?.reason ? `: ${seen.reason}` : '';
  return [{ outcome: 'INCONCLUSIVE', says: `what it would do is not known${why}` }];
}

export function powerOf(a: Approval): string {
  if (a.via === 'operator') return `all tokens of ${a.token}`;
  if (a.via === 'token') return `${a.token} ${a.tokenId}`;
  return `${isUnlimited(a) ? 'any amount' : a.amount} of ${a.token}`;
}

/** Why somebody who is given power is a stranger; null where he is none. */
export function strangerTo(a: Approval, seen: Simulation | null): string | null {
  const code = seen?.parties.find((p) => p.address === a.spender)?.code;
  if (code === undefined) return isUnlimited(a) ? 'of whom nothing is known' : null;
  const account = accountKind(code);
  if (account.kind === 'plain' || account.kind === 'delegated')
    return 'an account that a key alone decides over';
  const shapes = sweepingShapes(code.shapes ?? []);
  if (shapes.length > 0) return `a contract that ${shapes.join(' and ')}`;
  return isUnlimited(a) ? 'a contract that is not known' : null;
}

/** Why power that has a limit is none to be sure of: it is over nearly all that is there. Null where it is not. */
function openTo(a: Approval, seen: Simulation | null): string | null {
  if (!seen?.parties.some((p) => p.address === a.spender)) return 'of whom nothing is known';
  if (a.via === 'token') return 'a contract that is not known';
  if (a.held === undefined) return 'of whom it is not known how much of what is held he may take';
  const held = BigInt(a.held);
  const isMost = held > 0n && BigInt(a.amount) * 100n >= held * MOST;
  return isMost ? 'a contract that is not known and may take nearly all that is held' : null;
}

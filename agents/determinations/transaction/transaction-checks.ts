import { chainSource, check } from '../panel/judging.ts';
import type { Check, Outcome } from '../panel/types.ts';
import { accountKind, codeParties, namedInCode } from '../wallet/account-code.ts';
import { codeFindings } from '../wallet/code-findings.ts';
import { sweepingShapes } from '../wallet/code-shape.ts';
import { deadEndOf } from '../wallet/dead-ends.ts';
import { type Finding, listedFinding, type WalletView, worstOf } from '../wallet/wallet-findings.ts';
import { decodeCall, intendedApproval, intendedRecipient } from './call-data.ts';
import { recipientsOf } from './compare.ts';
import { drainsIn, isKnown } from './drains.ts';
import type { Approval, AskedTransaction, Simulation } from './transaction-evidence.ts';
import { isUnlimited } from './transaction-result.ts';

/** Checks on what a transaction would do, where one was named. */
export function transactionChecks(view: WalletView): Check[] {
  const { transaction: tx } = view.common;
  if (tx === undefined) return [];
  const seen = view.facts.chains.find((c) => c.chain === tx.chain)?.simulation ?? null;
  const made = (id: string, findings: readonly Finding[], fine: string): Check => {
    const worst = worstOf(findings);
    const outcome: Outcome = worst?.outcome ?? 'PASS';
    const said = findings.filter((f) => f.outcome === outcome).map((f) => f.says);
    const hard = findings.some((f) => f.outcome === 'FLAG' && f.hard === true);
    const detail = said.length > 0 ? [...new Set(said)].join('; ') : fine;
    return check(id, outcome, detail, [chainSource(view, tx.chain)], { hard });
  };
  return [
    made(
      'transaction-simulated',
      [...simulated(view, seen), ...senderUnknown(tx, seen)],
      'it would succeed at this block',
    ),
    made('transaction-parties', parties(view, tx, seen), 'no list names whom it calls, pays or empowers'),
    made(
      'transaction-drain',
      [...drains(view, tx, seen), ...senderUnknown(tx, seen)],
      'nothing leaves but what its call says',
    ),
    made(
      'transaction-approvals',
      [...approvals(view, tx, seen), ...senderUnknown(tx, seen)],
      'it gives no stranger power over tokens',
    ),
    made(
      'transaction-owners',
      [...owners(view, tx, seen), ...senderUnknown(tx, seen)],
      'nobody else decides afterwards',
    ),
    made(
      'transaction-conditions',
      [...conditions(seen), ...senderUnknown(tx, seen)],
      'it does the same under changed conditions',
    ),
  ];
}

function simulated({ common, facts }: WalletView, seen: Simulation | null): Finding[] {
  if (seen?.outcome === 'success') return [];
  const fault = facts.chains.find((c) => c.chain === common.transaction?.chain)?.fault;
  const why = seen === null ? (fault ?? 'its chain was not read') : (seen.reason ?? seen.outcome);
  return [{ outcome: 'INCONCLUSIVE', says: `what it would do is not known: ${why}` }];
}

/** What moves nothing of an address that holds nothing may take all that its sender has. */
function senderUnknown({ assumedSender }: AskedTransaction, seen: Simulation | null): Finding[] {
  if (assumedSender !== 2 || seen?.outcome !== 'success') return [];
  const says =
    'what it would do is not known: nobody said who sends it, and it was simulated for an address that nobody has';
  return [{ outcome: 'INCONCLUSIVE', says }];
}

/** Everybody who gets something by it, in what it says or in what it does. */
export function touched(tx: AskedTransaction, seen: Simulation | null): string[] {
  const call = decodeCall(tx.data);
  const named = [
    tx.to,
    intendedRecipient(call),
    intendedApproval(tx, call)?.spender,
    ...(seen === null ? [] : recipientsOf(seen.changes, tx.from)),
    ...(seen?.approvals ?? []).filter((a) => a.owner === tx.from && a.amount !== '0').map((a) => a.spender),
    ...(seen?.owners ?? []).map((o) => o.to),
    ...(seen?.parties ?? []).map((p) => p.address),
  ];
  return [
    ...new Set(named.filter((who) => who != null && who !== tx.from && !/^0x0+$/.test(who))),
  ] as string[];
}

/** Those, and whoever decides which code runs for them or is named in it: the lists are searched for all. */
export function transactionParties(tx: AskedTransaction, seen: Simulation | null): string[] {
  const named = (seen?.parties ?? []).flatMap(({ code }) => [...codeParties(code), ...namedInCode(code)]);
  return [...new Set([...touched(tx, seen), ...named.map((p) => p.address)])];
}

function parties(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  const direct = touched(tx, seen).map((who) => listedFinding(view, who, 'its party'));
  const running = (seen?.parties ?? []).flatMap(({ address, code }) =>
    [...codeParties(code), ...namedInCode(code)].map((p) =>
      listedFinding(view, p.address, `of its party ${address}, ${p.role.replace(/^its /, 'the ')}`),
    ),
  );
  const codes = (seen?.parties ?? []).flatMap(({ address, code }) =>
    codeFindings(view, tx.chain, address, code).filter((f) => f.outcome !== 'PASS'),
  );
  const recipient = intendedRecipient(decodeCall(tx.data)) ?? (tx.data === '0x' ? tx.to : null);
  const dead = recipient === null ? null : deadRecipient(tx, recipient);
  return [
    ...[...direct, ...running].filter((f) => f !== null),
    ...codes,
    ...(dead === null ? [] : [{ outcome: 'FLAG' as const, says: `it pays ${recipient}, ${dead}` }]),
    ...calledNothing(tx, seen),
  ];
}

function deadRecipient(tx: AskedTransaction, recipient: string): string | null {
  if (recipient === tx.to && tx.data !== '0x') return 'the token itself';
  return deadEndOf(recipient)?.says ?? null;
}

/** A function is called where no code is: whatever comes to stand there decides what becomes of it. */
function calledNothing(tx: AskedTransaction, seen: Simulation | null): Finding[] {
  const code = seen?.parties.find((p) => p.address === tx.to)?.code;
  if (code === undefined || code.size > 0 || decodeCall(tx.data).name === null) return [];
  return [{ outcome: 'FLAG', says: `it calls a function of ${tx.to}, which has no code` }];
}

function drains({ common }: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  if (seen?.outcome !== 'success') return unknown(seen);
  return drainsIn(tx, seen, (who) => isKnown(who, common)).map((says) => ({ outcome: 'FLAG', says }));
}

const unknown = (seen: Simulation | null): Finding[] => [
  { outcome: 'INCONCLUSIVE', says: `what it would do is not known${seen?.reason ? `: ${seen.reason}` : ''}` },
];

/** The approvals that the sender gives: as simulated, else as the call says. */
function approvals({ common }: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  const intended = intendedApproval(tx, decodeCall(tx.data));
  const given = seen?.outcome === 'success' ? seen.approvals : intended === null ? [] : [intended];
  const own = given.filter((a) => a.owner === tx.from && a.amount !== '0' && !isKnown(a.spender, common));
  const found = own.flatMap((a): Finding[] => {
    const why = strangerTo(a, seen);
    return why === null ? [] : [{ outcome: 'FLAG', says: `${a.spender}, ${why}, gets ${powerOf(a)}` }];
  });
  return seen?.outcome === 'success' ? found : [...found, ...unknown(seen)];
}

function powerOf(a: Approval): string {
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

function owners({ common }: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  if (seen?.outcome !== 'success') return unknown(seen);
  const own = [tx.from, common.address.toLowerCase()];
  return seen.owners.flatMap((o): Finding[] => {
    const isLost = o.from !== null && own.includes(o.from) && o.to !== o.from;
    const isOwn = own.includes(o.contract);
    const roles = o.event === 'RoleGranted' || o.event === 'Upgraded' || o.event === 'BeaconUpgraded';
    if (!isLost && !isOwn && !(roles && o.contract === tx.to && o.to !== tx.from)) return [];
    const to = o.to === null ? '' : ` to ${o.to}`;
    return [{ outcome: 'FLAG', says: `it changes who decides over ${o.contract}: ${o.event}${to}` }];
  });
}

function conditions(seen: Simulation | null): Finding[] {
  if (seen === null || seen.outcome === 'not-simulated') return unknown(seen);
  return seen.conditions.flatMap(({ condition, outcome, worse }): Finding[] => {
    if (outcome === 'not-simulated')
      return [{ outcome: 'INCONCLUSIVE', says: `it could not be simulated under "${condition}"` }];
    return worse.map((what) => ({
      outcome: 'FLAG',
      says: `unlike the preview, under "${condition}" ${what}`,
    }));
  });
}

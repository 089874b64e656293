import { chainSource, check } from '../panel/judging.ts';
import type { Check, Outcome } from '../panel/types.ts';
import { codeParties, namedInCode } from '../wallet/code/account-code.ts';
import { codeFindings } from '../wallet/code/code-findings.ts';
import { deadEndOf } from '../wallet/money/dead-ends.ts';
import { type Finding, listedFinding, type WalletView, worstOf } from '../wallet/wallet-findings.ts';
import { approvalFindings, unknownEffects } from './approvals.ts';
import { decodeCall, intendedRecipient } from './call-data.ts';
import { drainFindings } from './drains.ts';
import { earlierApprovals, earlierDrains, earlierOwners, earlierTouched } from './earlier-effects.ts';
import { type InnerCall, isCaller, unfolded } from './inner-calls.ts';
import { wrappedNative } from './known-contracts.ts';
import { takeOverFindings } from './taken-over.ts';
import { MOST_LOOKED_UP, takingPart } from './taking-part.ts';
import type { AskedTransaction, Simulation } from './transaction-evidence.ts';

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

/** Everybody who gets something by it, and whoever decides which code runs for them or is named in it. */
export function transactionParties(tx: AskedTransaction, seen: Simulation | null): string[] {
  const named = (seen?.parties ?? []).flatMap(({ code }) => [...codeParties(code), ...namedInCode(code)]);
  return [...new Set([...takingPart(tx, seen).slice(0, MOST_LOOKED_UP), ...named.map((p) => p.address)])];
}

function parties(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  const all = isEarlier(view) ? earlierTouched(tx, seen) : takingPart(tx, seen);
  const beyond = isEarlier(view) ? 0 : all.length - MOST_LOOKED_UP;
  const direct = (beyond > 0 ? all.slice(0, MOST_LOOKED_UP) : all).map((who) =>
    listedFinding(view, who, 'its party'),
  );
  const running = (seen?.parties ?? []).flatMap(({ address, code }) =>
    [...codeParties(code), ...namedInCode(code)].map((p) =>
      listedFinding(view, p.address, `of its party ${address}, ${p.role.replace(/^its /, 'the ')}`),
    ),
  );
  const codes = (seen?.parties ?? []).flatMap(({ address, code }) =>
    codeFindings(view, tx.chain, address, code).filter((f) => f.outcome !== 'PASS'),
  );
  return [
    ...[...direct, ...running].filter((f) => f !== null),
    ...(beyond > 0
      ? [
          {
            outcome: 'INCONCLUSIVE' as const,
            says: `${beyond} more than the ${MOST_LOOKED_UP} that are looked up`,
          },
        ]
      : []),
    ...codes,
    ...paymentsToNobody(view, tx),
    ...calledNothing(view, tx, seen),
  ];
}

const isEarlier = ({ common }: WalletView): boolean => common.effects === undefined;

/** The calls that are judged one by one: the transaction, and what it makes accounts call. */
function callsOf(
  view: WalletView,
  tx: AskedTransaction,
): readonly Pick<InnerCall, 'to' | 'data' | 'value'>[] {
  const { calls } = unfolded(tx);
  return isEarlier(view) ? calls.slice(0, 1) : calls;
}

function paymentsToNobody(view: WalletView, tx: AskedTransaction): Finding[] {
  return callsOf(view, tx).flatMap(({ to, data, value }, i): Finding[] => {
    // What wraps the native currency gives its token for a payment.
    const wraps = !isEarlier(view) && wrappedNative(tx.chain) === to;
    const isPaid = data === '0x' && (i === 0 || value > 0n) && !wraps;
    const recipient = intendedRecipient(decodeCall(data)) ?? (isPaid ? to : null);
    const dead = recipient === null ? null : deadRecipient({ to, data }, recipient);
    return dead === null ? [] : [{ outcome: 'FLAG', says: `it pays ${recipient}, ${dead}` }];
  });
}

function deadRecipient(tx: Pick<AskedTransaction, 'to' | 'data'>, recipient: string): string | null {
  if (recipient === tx.to && tx.data !== '0x') return 'the token itself';
  return deadEndOf(recipient)?.says ?? null;
}

/** A function is called where no code is: whatever comes to stand there decides what becomes of it. */
function calledNothing(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  return callsOf(view, tx).flatMap(({ to, data }): Finding[] => {
    const code = seen?.parties.find((p) => p.address === to)?.code;
    const isNamed = decodeCall(data).name !== null || (!isEarlier(view) && isCaller(data));
    if (code === undefined || code.size > 0 || !isNamed) return [];
    return [{ outcome: 'FLAG', says: `it calls a function of ${to}, which has no code` }];
  });
}

function drains(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  if (seen?.outcome !== 'success') return unknownEffects(seen);
  return isEarlier(view) ? earlierDrains(view, tx, seen) : drainFindings(view, tx, seen);
}

function approvals(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  return isEarlier(view) ? earlierApprovals(view, tx, seen) : approvalFindings(view, tx, seen);
}

function owners(view: WalletView, tx: AskedTransaction, seen: Simulation | null): Finding[] {
  const found = isEarlier(view) ? [] : takeOverFindings(view, tx, seen);
  if (seen?.outcome !== 'success') return [...found, ...unknownEffects(seen)];
  return isEarlier(view) ? earlierOwners(view, tx, seen) : found;
}

function conditions(seen: Simulation | null): Finding[] {
  if (seen === null || seen.outcome === 'not-simulated') return unknownEffects(seen);
  return seen.conditions.flatMap(({ condition, outcome, worse }): Finding[] => {
    if (outcome === 'not-simulated')
      return [{ outcome: 'INCONCLUSIVE', says: `it could not be simulated under "${condition}"` }];
    return worse.map((what) => ({
      outcome: 'FLAG',
      says: `unlike the preview, under "${condition}" ${what}`,
    }));
  });
}

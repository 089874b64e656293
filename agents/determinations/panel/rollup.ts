import type { Category } from '../../categories.ts';
import { judgeOrigin } from '../origin/origin-result.ts';
import { transactionResult } from '../transaction/transaction-result.ts';
import { tryAddress } from '../wallet/address.ts';
import { behaviourProbabilities, behaviours } from '../wallet/behaviour/behaviour.ts';
import { coverageOf } from '../wallet/coverage.ts';
import type { WalletCommon } from '../wallet/wallet-evidence.ts';
import type {
  Check,
  Determination,
  DeterminationId,
  RecordVerdict,
  TierRecord,
  WalletRecord,
} from './types.ts';
import { TIER_DETERMINATIONS } from './types.ts';

/** A record is CLEAN only when at least one determination ran and every one that ran is CLEAN. */
export function rollVerdict(determinations: readonly Determination[]): RecordVerdict {
  const ran = determinations.length > 0;
  return ran && determinations.every((d) => d.verdict === 'CLEAN') ? 'CLEAN' : 'FLAGGED';
}

/** The determinations, and the checks as `determination/check`, that are INCONCLUSIVE. */
function inconclusive(determinations: readonly Determination[]): string[] {
  return determinations.flatMap((d) => [
    ...(d.verdict === 'INCONCLUSIVE' ? [d.id] : []),
    ...d.checks.filter((c) => c.outcome === 'INCONCLUSIVE').map((c) => `${d.id}/${c.id}`),
  ]);
}

const NOTES: Readonly<Record<RecordVerdict, string>> = {
  CLEAN: 'CLEAN covers the determinations that ran, from the sources they name, as of their dates.',
  FLAGGED: 'What FLAGGED causes is the setting that the owner signed; unset, the transaction stops.',
};

/** Rolls determinations up into a tier record, in the service's own order. */
export function rollUpTier(
  head: { tier: TierRecord['tier']; category: Category; priceUsd?: number },
  determinations: readonly Determination[],
  notRun: readonly DeterminationId[],
): TierRecord {
  const order = (id: DeterminationId): number => ['wallet', ...TIER_DETERMINATIONS].indexOf(id);
  const sorted = [...determinations].sort((a, b) => order(a.id) - order(b.id));
  const verdict = rollVerdict(sorted);
  return {
    ...head,
    verdict,
    flagged: once(sorted.filter((d) => d.verdict === 'FLAGGED').map((d) => d.id)),
    inconclusive: once(inconclusive(sorted)),
    determinations: sorted,
    determinationsRun: once(sorted.map((d) => d.id)),
    determinationsNotRun: [...notRun].sort((a, b) => order(a) - order(b)),
    note: NOTES[verdict],
  };
}

/** What an agent holds is determined beside it, so that one kind may have run several times. */
function once<T>(ids: readonly T[]): T[] {
  return [...new Set(ids)];
}

/** Rolls the wallet determination up into its record. */
export function rollUpWallet(determination: Determination): WalletRecord {
  const common = determination.evidence.common as WalletCommon;
  const probabilities = behaviourProbabilities(behaviours(common));
  return {
    verdict: rollVerdict([determination]),
    address: common.address,
    addressType: common.addressType,
    chainId: tryAddress(common.address)?.type === 'solana' ? null : common.chainId,
    confidence: determination.confidence,
    confidenceBasis: determination.confidenceBasis,
    ...(probabilities.length === 0 ? {} : { probabilities }),
    reasons: determination.reasons,
    checks: determination.checks.map((c) => c.id),
    inconclusive: inconclusive([determination]),
    coverage: determination.coverage ?? coverageOf(determination.evidence),
    ...(transactionResult(determination.evidence) ?? {}),
    ...(common.origin === undefined ? {} : { origin: judgeOrigin(common.origin, determination.evidence.at) }),
    evidence: {
      checks: determination.checks.map(withoutHard),
      panel: determination.panel,
      gathered: determination.evidence,
    },
  };
}

function withoutHard({ id, outcome, detail, sources }: Check): Omit<Check, 'hard'> {
  return { id, outcome, detail, sources };
}

/**
 * The checks that raised a hard flag. When no check did, the seats that did: a seat that judges by numbers has no
 * checks, and the seat that supplied the checks may have been given false facts.
 */
export function hardIn({ checks, panel }: Determination): string[] {
  const found = checks.filter((c) => c.hard === true && c.outcome === 'FLAG').map((c) => c.id);
  return found.length > 0 ? found : panel.votes.filter((v) => v.hard === true).map((v) => v.seat);
}

import type { Weighed } from '../../agents/deal/effect.ts';
import type {
  Determination,
  DeterminationId,
  Recorded,
  TierRecord,
  WalletRecord,
} from '../../agents/determinations/panel/types.ts';
import type { RecordDraft } from '../../agents/records/record.ts';
import type { TierAnswer } from './determine-tier.ts';
import type { WalletAnswer } from './determine-wallet.ts';

interface Filing {
  readonly recordId: string;
  readonly issuedAt: Date;
}

/** The public record of a wallet determination. Its evidence is kept beside it and bound by its hash. */
export function walletDraft(answer: WalletAnswer, { recordId, issuedAt }: Filing): RecordDraft {
  const { evidence, ...record } = answer.record;
  const { checks, panel } = evidence;
  return {
    recordId,
    kind: 'determination',
    issuedAt,
    subject: answer.subject,
    summary: `Wallet determination: ${record.verdict}`,
    content: { record: { ...record, evidence: { checks, panel } }, hardFlags: answer.hardFlags },
    evidence: answer.evidence,
  };
}

/**
 * The public record of a tier evaluation, or of one side's determination on its deal.
 * @param caused what the verdict causes in a deal, and whose choice waived what could not be judged; absent when no
 *   deal depends on it
 */
export function tierDraft(
  answer: TierAnswer,
  { recordId, issuedAt }: Filing,
  parties: readonly string[] = [],
  caused: Partial<Pick<Weighed, 'effect' | 'waivedBy'>> = {},
): RecordDraft {
  const { record, hardFlags } = answer;
  const determinations = record.determinations.map(({ evidence: _kept, ...d }) =>
    record.tier === 'deal' && TELL_PRICES.has(d.id) ? withoutWords(d) : d,
  );
  return {
    recordId,
    kind: 'determination',
    issuedAt,
    subject: answer.subject,
    parties,
    summary: `${NAMES[record.tier]}: ${record.verdict}`,
    content: { record: { ...record, determinations, ...caused }, hardFlags },
    evidence: answer.evidence,
  };
}

/** On a deal, these determinations explain their findings with amounts that reveal its clearing price. */
const TELL_PRICES: ReadonlySet<DeterminationId> = new Set(['mandate-compliance', 'price-intelligence']);

/**
 * Removes the words of determinations that reveal prices. A deal may be stopped after its record was filed, and then
 * its clearing price must not be public, but a record never changes. The words can be computed from the evidence, which
 * is served beside the record unless the deal was stopped.
 */
function withoutWords(determination: Omit<Determination, 'evidence'>): Omit<Determination, 'evidence'> {
  const { checks, panel } = determination;
  return {
    ...determination,
    reasons: [],
    checks: checks.map((check) => ({ ...check, detail: '' })),
    panel: { ...panel, votes: panel.votes.map((vote) => ({ ...vote, reasons: [] })), dissent: [] },
  };
}

const NAMES: Readonly<Record<TierRecord['tier'], string>> = {
  tier2: 'Tier 2 evaluation',
  tier3: 'Tier 3 evaluation',
  deal: 'Determination on a deal',
};

/** The answer of `GET /determination`: the record, whether it was filed, and where. */
export function withRecorded(
  answer: WalletAnswer,
  filed: { recordId: string; baseUrl: string; ledger: { chainId: number; contract: string } },
): WalletRecord & { readonly recorded: Recorded } {
  if (answer.filing !== 'file')
    return { ...answer.record, recorded: { filed: false, reason: answer.filing } };
  const { recordId, baseUrl, ledger } = filed;
  return {
    ...answer.record,
    recorded: {
      filed: true,
      recordId,
      recordUrl: `${baseUrl}/records/${recordId}`,
      ledger: { ...ledger, state: 'inscribing' },
    },
  };
}

import { appealOutcome } from '../../agents/determinations/panel/appeal-outcome.ts';
import { type Recomputed, recompute } from '../../agents/determinations/panel/recompute.ts';
import type { RecordEvidence, RecordVerdict, TierRecord } from '../../agents/determinations/panel/types.ts';
import { AppError, Refusal } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import {
  type Appeal,
  appealAgainst,
  appealsSince,
  confirmedBefore,
  fileAppeal,
} from '../../store/records/appeals.ts';
import { loadRecord, type StoredRecord } from '../../store/records/records.ts';
import { signRecord } from '../records/public.ts';
import type { LastCall, Services } from '../services.ts';
import { askAgain } from './ask-again.ts';
import { concerns, evidenceOf } from './concerns.ts';

/** How many appeals a wallet has in a day. Each reads all of its evidence again, and costs nothing. */
export const APPEALS_A_DAY = 5;
const DAY_MS = 86_400_000;

interface Lodged {
  readonly wallet: Address;
  /** The owner's reasons. The record shows them, but they decide nothing. */
  readonly grounds: string | null;
}

export interface Appealed {
  readonly appeal: Appeal;
  readonly verdict: RecordVerdict;
  /** The verdict of the record that is appealed against. */
  readonly before: RecordVerdict;
  /** False when this appeal had already been filed. */
  readonly fresh: boolean;
}

/** The content of a determination's record, as far as an appeal needs it. */
interface Content {
  readonly record: Pick<TierRecord, 'category' | 'priceUsd' | 'verdict'>;
  /** In a determination on a deal. */
  readonly dealId?: string;
}

/**
 * Repeats the determination of a record on fresh evidence, and files the outcome beside it. The first record stays as
 * it is. It no longer counts against its subject where all that was FLAGGED in it is CLEAN now; nor does a record that
 * the first one confirmed, so that whoever appealed too early is cleared by an appeal against the outcome. An appeal that
 * is sent again gets its first answer. One that cannot be judged now is not filed, and can be made later.
 * @throws AppError not-owner for a wallet that the record is not about; conflict for a record that is not a
 *   determination, or is CLEAN; rate-limited with `retryAfter` seconds; unavailable when a chain cannot say who owns an
 *   agent, or what was held against the subject cannot be judged now
 */
export async function appeal(
  services: Services,
  stored: StoredRecord,
  { wallet, grounds }: Lodged,
  lastCall: LastCall,
): Promise<Appealed> {
  const { recordId } = stored.record;
  if (!(await concerns(services, stored, wallet)))
    throw new AppError(
      'not-owner',
      `The record "${recordId}" is not about ${wallet} or an agent of its own.`,
    );
  const content = stored.record.content as Partial<Content> | null;
  const evidence = evidenceOf(stored);
  if (evidence === null || content?.record === undefined)
    throw new AppError(
      'conflict',
      `The record "${recordId}" is no determination: there is nothing to appeal.`,
    );
  const before = content.record.verdict;
  const held = await appealAgainst(services.db, recordId);
  if (held !== null) return { appeal: held, verdict: await verdictOf(services, held), before, fresh: false };
  if (before === 'CLEAN')
    throw new AppError('conflict', `The record "${recordId}" is CLEAN: nothing to appeal.`);
  await requireAllowance(services, wallet);

  const now = services.now();
  const appealId = services.newId('rec');
  const draft = await askAgain(
    { ...services.evidence, appealOf: recordId, spender: { kind: 'payer', name: wallet } },
    {
      record: content.record,
      evidence,
      parties: stored.record.parties,
      recordId: appealId,
      issuedAt: now,
    },
  );
  const found = draft.content as { record: { verdict: RecordVerdict } };
  const again = recompute(draft.evidence as RecordEvidence).determinations;
  const { overturned, undecided } = appealOutcome(recompute(evidence).determinations, again);
  if (undecided.length > 0)
    throw new AppError(
      'unavailable',
      `What the record "${recordId}" holds against its subject cannot be judged now (${undecided.join(', ')}): nothing was filed, so appeal again later.`,
    );
  const signed = await signRecord(services.signRecord, {
    ...draft,
    summary: `Appeal against ${recordId}: ${found.record.verdict}`,
    content: {
      ...found,
      ...(content.dealId === undefined ? {} : { dealId: content.dealId }),
      appeal: { of: recordId, wallet, grounds },
    },
    handle: stored.handle,
  });
  const filed: Appeal = {
    recordId,
    appealId,
    wallet,
    filedAt: now,
    overturned,
  };
  const cleared = overturned ? await clearedBefore(services, recordId, again) : [];
  const first = await services.db.transaction().execute(async (trx) => {
    const done = await fileAppeal(trx, filed, signed, cleared);
    lastCall();
    return done;
  });
  if (first) return { appeal: filed, verdict: found.record.verdict, before, fresh: true };
  const other = (await appealAgainst(services.db, recordId)) as Appeal;
  return { appeal: other, verdict: await verdictOf(services, other), before, fresh: false };
}

/** The records that a record confirmed, of which nothing is held against their subject by what was found now. */
async function clearedBefore(
  { db }: Services,
  recordId: string,
  now: Recomputed['determinations'],
): Promise<string[]> {
  const cleared: string[] = [];
  for (const confirmed of await confirmedBefore(db, recordId)) {
    const stored = await loadRecord(db, confirmed).catch((error) => {
      // What was taken out of the archive cannot be compared, and stands.
      if (error instanceof Refusal) return null;
      throw error;
    });
    const evidence = stored === null ? null : evidenceOf(stored);
    if (evidence !== null && appealOutcome(recompute(evidence).determinations, now).overturned)
      cleared.push(confirmed);
  }
  return cleared;
}

async function verdictOf({ db }: Services, { appealId }: Appeal): Promise<RecordVerdict> {
  const { record } = (await loadRecord(db, appealId)) as StoredRecord;
  return (record.content as Content).record.verdict;
}

async function requireAllowance({ db, now }: Services, wallet: Address): Promise<void> {
  const filed = await appealsSince(db, wallet, new Date(now().getTime() - DAY_MS));
  const [oldest] = filed;
  if (oldest === undefined || filed.length < APPEALS_A_DAY) return;
  const retryAfter = Math.ceil((oldest.getTime() + DAY_MS - now().getTime()) / 1000);
  throw new AppError(
    'rate-limited',
    `A wallet has ${APPEALS_A_DAY} appeals a day: wait ${retryAfter} seconds.`,
    {
      extra: { retryAfter },
    },
  );
}

import { AppError } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import { BY_OPERATOR, recordedVerdicts, type SaidOutcome, spokenOf } from '../../agents/records/outcome.ts';
import { type FiledOutcome, fileOutcome, outcomeBy, outcomesSince } from '../../store/records/outcomes.ts';
import type { StoredRecord } from '../../store/records/records.ts';
import type { LastCall, Services } from '../services.ts';
import { concerns } from './concerns.ts';

/** How many outcomes a wallet tells in a day. Each may read chains, and costs nothing. */
const OUTCOMES_A_DAY = 20;
const DAY_MS = 86_400_000;

/** The content of a determination's record, as far as an outcome needs it. */
interface Content {
  readonly record?: Parameters<typeof recordedVerdicts>[0];
}

/**
 * Keeps what turned out of a determination, as one of its parties or the operator says. It is shown and counted: no
 * determination reads it.
 * @param wallet whose signature it is; null for the operator
 * @returns `fresh` false when the same had been said before
 * @throws AppError not-owner for a wallet that the record is not about; conflict for a record that is no determination,
 *   did not look for such a fraud, or of which this signer said something else; rate-limited with `retryAfter`
 *   seconds; unavailable when a chain cannot say who owns an agent
 */
export async function tellOutcome(
  services: Services,
  stored: StoredRecord,
  { wallet, said }: { readonly wallet: Address | null; readonly said: SaidOutcome },
  lastCall: LastCall,
): Promise<{ readonly filed: FiledOutcome; readonly fresh: boolean }> {
  const { record } = stored;
  const { recordId } = record;
  if (wallet !== null && !(await concerns(services, stored, wallet)))
    throw new AppError(
      'not-owner',
      `The record "${recordId}" is not about ${wallet} or an agent of its own.`,
    );
  const content = record.content as Content | null;
  if (record.kind !== 'determination' || content?.record === undefined)
    throw new AppError('conflict', `The record "${recordId}" is no determination: nothing was judged.`);
  const verdicts = spokenOf(recordedVerdicts(content.record), said);
  if (Object.keys(verdicts).length === 0)
    throw new AppError('conflict', `The record "${recordId}" did not look for ${said.kind}.`);
  const signer = wallet ?? BY_OPERATOR;
  const held = await outcomeBy(services.db, recordId, signer);
  if (held !== null) return { filed: requireSame(held, said), fresh: false };
  if (wallet !== null) await requireAllowance(services, wallet);

  const filed: FiledOutcome = { recordId, signer, ...said, filedAt: services.now() };
  const first = await services.db.transaction().execute(async (trx) => {
    const done = await fileOutcome(trx, filed, verdicts);
    lastCall();
    return done;
  });
  if (first) return { filed, fresh: true };
  const other = (await outcomeBy(services.db, recordId, signer)) as FiledOutcome;
  return { filed: requireSame(other, said), fresh: false };
}

function requireSame(held: FiledOutcome, said: SaidOutcome): FiledOutcome {
  const words = ({ outcome, kind, evidence }: SaidOutcome): string =>
    JSON.stringify([outcome, kind, evidence]);
  if (words(held) === words(said)) return held;
  throw new AppError(
    'conflict',
    `Of the record "${held.recordId}" it was said already, for good, that it turned out ${held.outcome}.`,
  );
}

async function requireAllowance({ db, now }: Services, wallet: Address): Promise<void> {
  const since = new Date(now().getTime() - DAY_MS);
  const filed = await outcomesSince(db, wallet, since, OUTCOMES_A_DAY);
  const [oldest] = filed;
  if (oldest === undefined || filed.length < OUTCOMES_A_DAY) return;
  const retryAfter = Math.ceil((oldest.getTime() + DAY_MS - now().getTime()) / 1000);
  throw new AppError(
    'rate-limited',
    `A wallet tells ${OUTCOMES_A_DAY} outcomes a day: wait ${retryAfter} seconds.`,
    { extra: { retryAfter } },
  );
}

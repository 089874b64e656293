import type { Database } from '../../store/database.ts';
import { findDeal } from '../../store/deal/deals.ts';
import type { StoredRecord } from '../../store/records/records.ts';

const WITHHELD =
  'The deal was stopped, and no price of it is public: its evidence, which says it, is not served.';

/**
 * Why the evidence of a record is shown to nobody: it was determined on a deal that was stopped since, and says what the
 * deal would have cleared at. Null where it may be shown, or where there is none.
 */
export async function whyWithheld(
  db: Database,
  { record, evidence }: Pick<StoredRecord, 'record' | 'evidence'>,
): Promise<string | null> {
  const { dealId } = (record.content ?? {}) as { readonly dealId?: unknown };
  if (evidence === null || typeof dealId !== 'string') return null;
  return (await findDeal(db, dealId))?.state === 'stopped' ? WITHHELD : null;
}

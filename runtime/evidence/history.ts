import { sql } from 'kysely';
import type { PlatformHistory } from '../../agents/determinations/wallet-evidence.ts';
import { overturned } from '../../store/appeals.ts';
import type { Database } from '../../store/database.ts';
import { dealRecordId } from '../records.ts';

const DAYS = 90;

/**
 * What this platform recorded about an address: hard flags of earlier determinations, and deals stopped by a hard
 * finding about it. What was merely INCONCLUSIVE, or flagged only because of history, is not held against it; nor is a
 * record that an appeal found no hard flag for, nor the one that is appealed against now.
 */
export async function gatherHistory(
  db: Database,
  key: string,
  now: Date,
  appealOf: string | null = null,
): Promise<PlatformHistory> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const flagged = sql<{ record_id: string; created_at: Date; hard: string[] }>`
    select record_id, created_at, body -> 'content' -> 'hardFlags' as hard
    from records
    where kind = 'determination' and subject = ${key} and created_at > ${since}
      and body @@ '$.content.hardFlags.size() > 0' and record_id is distinct from ${appealOf}
      and record_id not in (select record_id from appeals where overturned)
    order by seq desc limit 20`.execute(db);
  const halted = sql<StoppedDeal>`
    select d.deal_id, d.updated_at, d.reason,
      jsonb_path_query_array(d.findings, '$[*] ? (@.about == $about && @.hard == true).side',
        jsonb_build_object('about', ${key}::text)) as sides
    from deals d join agents a on a.handle in (d.seller, d.buyer)
    where (a.account = ${key} or a.owner = ${key}) and d.state = 'stopped' and d.updated_at > ${since}
      and jsonb_path_exists(d.findings, '$[*] ? (@.about == $about && @.hard == true)',
        jsonb_build_object('about', ${key}::text))
    order by d.updated_at desc limit 20`.execute(db);
  const [flags, stopped] = await Promise.all([flagged, halted]);
  const records = stopped.rows.flatMap(recordsOf);
  const cleared = new Set([...(await overturned(db, records)), ...(appealOf === null ? [] : [appealOf])]);
  const deals = stopped.rows.filter((d) => recordsOf(d).some((r) => !cleared.has(r)));
  return {
    days: DAYS,
    hardFlags: flags.rows.map((r) => ({
      recordId: r.record_id,
      at: r.created_at.toISOString(),
      check: r.hard.join(', '),
    })),
    stoppedDeals: deals.map((d) => ({
      dealId: d.deal_id,
      at: d.updated_at.toISOString(),
      reason: d.reason ?? 'a determination was FLAGGED',
    })),
  };
}

interface StoppedDeal {
  readonly deal_id: string;
  readonly updated_at: Date;
  readonly reason: string | null;
  /** Whose determination found it. */
  readonly sides: readonly ('buyer' | 'seller')[];
}

function recordsOf({ deal_id, sides }: StoppedDeal): string[] {
  return sides.map((side) => dealRecordId(deal_id, side));
}

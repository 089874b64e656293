import { sql } from 'kysely';
import type { PlatformHistory } from '../../agents/determinations/wallet-evidence.ts';
import type { Database } from '../../store/database.ts';

const DAYS = 90;

/**
 * What this platform recorded about an address: hard flags of earlier determinations, and deals stopped by a hard
 * finding about it. What was merely INCONCLUSIVE, or flagged only because of history, is not held against it.
 */
export async function gatherHistory(db: Database, key: string, now: Date): Promise<PlatformHistory> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const flags = await sql<{ record_id: string; created_at: Date; hard: string[] }>`
    select record_id, created_at, body -> 'content' -> 'hardFlags' as hard
    from records
    where kind = 'determination' and subject = ${key} and created_at > ${since}
      and body @@ '$.content.hardFlags.size() > 0'
    order by seq desc limit 20`.execute(db);
  const deals = await sql<{ deal_id: string; updated_at: Date; reason: string | null }>`
    select d.deal_id, d.updated_at, d.reason
    from deals d join agents a on a.handle in (d.seller, d.buyer)
    where (a.account = ${key} or a.owner = ${key}) and d.state = 'stopped' and d.updated_at > ${since}
      and jsonb_path_exists(d.findings, '$[*] ? (@.about == $about && @.hard == true)',
        jsonb_build_object('about', ${key}::text))
    order by d.updated_at desc limit 20`.execute(db);
  return {
    days: DAYS,
    hardFlags: flags.rows.map((r) => ({
      recordId: r.record_id,
      at: r.created_at.toISOString(),
      check: r.hard.join(', '),
    })),
    stoppedDeals: deals.rows.map((d) => ({
      dealId: d.deal_id,
      at: d.updated_at.toISOString(),
      reason: d.reason ?? 'a determination was FLAGGED',
    })),
  };
}

import type { PlatformHistory } from '../../agents/determinations/wallet-evidence.ts';
import { overturned } from '../../store/appeals.ts';
import { type Database, run, type Statement } from '../../store/database.ts';
import { dealRecordId } from '../records.ts';

const DAYS = 90;

const FLAGGED: Statement = {
  name: 'look-up-hard-flags',
  text: `
    select record_id, created_at, body -> 'content' -> 'hardFlags' as hard
    from records
    where kind = 'determination' and subject = $1 and created_at > $2
      and body @@ '$.content.hardFlags.size() > 0' and record_id is distinct from $3::text
      and record_id not in (select record_id from appeals where overturned)
    order by seq desc limit 20`,
};

const HALTED: Statement = {
  name: 'look-up-stopped-deals',
  text: `
    select d.deal_id, d.updated_at, d.reason,
      jsonb_path_query_array(d.findings, '$[*] ? (@.about == $about && @.hard == true).side',
        jsonb_build_object('about', $1::text)) as sides
    from deals d join agents a on a.handle in (d.seller, d.buyer)
    where (a.account = $1 or a.owner = $1) and d.state = 'stopped' and d.updated_at > $2
      and jsonb_path_exists(d.findings, '$[*] ? (@.about == $about && @.hard == true)',
        jsonb_build_object('about', $1::text))
    order by d.updated_at desc limit 20`,
};

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
  const flagged = run<FlaggedRecord>(db, FLAGGED, [key, since, appealOf]);
  const halted = run<StoppedDeal>(db, HALTED, [key, since]);
  const [flags, stopped] = await Promise.all([flagged, halted]);
  const records = stopped.flatMap(recordsOf);
  const cleared = new Set([...(await overturned(db, records)), ...(appealOf === null ? [] : [appealOf])]);
  const deals = stopped.filter((d) => recordsOf(d).some((r) => !cleared.has(r)));
  return {
    days: DAYS,
    hardFlags: flags.map((r) => ({
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

interface FlaggedRecord {
  readonly record_id: string;
  readonly created_at: Date;
  readonly hard: readonly string[];
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

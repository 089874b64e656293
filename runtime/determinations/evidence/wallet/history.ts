import type { PlatformHistory } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { aboutEach, runBatched } from '../../../../store/batched-keys.ts';
import type { Database } from '../../../../store/database.ts';
import type { DealFinding } from '../../../../store/json-columns.ts';
import { overturned } from '../../../../store/records/appeals.ts';
import { dealRecordId } from '../../../records/public.ts';

const DAYS = 90;

const HALTED = aboutEach({
  name: 'look-up-stopped-deals',
  text: `
    select d.deal_id, d.updated_at, d.reason,
      jsonb_path_query_array(d.findings, '$[*] ? (@.about == $about && @.hard == true)',
        jsonb_build_object('about', $1::text)) as found
    from deals d join agents a on a.handle in (d.seller, d.buyer)
    where (a.account = $1 or a.owner = $1) and d.state = 'stopped' and d.updated_at > $2
      and jsonb_path_exists(d.findings, '$[*] ? (@.about == $about && @.hard == true)',
        jsonb_build_object('about', $1::text))
    order by d.updated_at desc limit 20`,
});

/**
 * Deals that were stopped by a hard finding about an address. They are reported but judge nobody: what a finding was
 * based on is looked up again. So an entry that a list removes is cleared at once, and nobody can make a verdict last
 * by buying it again. Earlier determinations are ignored for the same reason. A record that an appeal overturned is
 * left out, and so is the one that is being appealed.
 */
export async function gatherHistory(
  db: Database,
  key: string,
  now: Date,
  appealOf: string | null = null,
): Promise<PlatformHistory> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const stopped = await runBatched<StoppedDeal>(db, HALTED, key, [since]);
  const records = stopped.flatMap(recordsOf);
  const cleared = new Set([...(await overturned(db, records)), ...(appealOf === null ? [] : [appealOf])]);
  const deals = stopped.filter((d) => recordsOf(d).some((r) => !cleared.has(r)));
  return {
    days: DAYS,
    hardFlags: [],
    stoppedDeals: [],
    told: {
      stoppedDeals: deals.map((d) => ({
        dealId: d.deal_id,
        at: d.updated_at.toISOString(),
        reason: d.reason ?? 'a determination was FLAGGED',
      })),
    },
  };
}

interface StoppedDeal {
  readonly deal_id: string;
  readonly updated_at: Date;
  readonly reason: string | null;
  /** What the sides' determinations found. */
  readonly found: readonly Pick<DealFinding, 'side' | 'round'>[];
}

function recordsOf({ deal_id, found }: StoppedDeal): string[] {
  return found.map(({ side, round }) => dealRecordId(deal_id, side, round));
}

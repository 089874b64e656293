import { sql } from 'kysely';
import type { MandateCommon } from '../../../../agents/determinations/mandate/mandate-evidence.ts';
import type { MandateRow } from '../../../../store/agent/agents.ts';
import { lastBeneficialOwner } from '../../../../store/agent/beneficial-owners.ts';
import type { Database } from '../../../../store/database.ts';

export interface TradeQuestion {
  readonly handle: string;
  /** The agents of the deal that is judged, the buyer first. */
  readonly sides?: readonly [{ readonly handle: string }, { readonly handle: string }];
  /** The beneficial owners of that deal's sides, the buyer's first. */
  readonly owners?: readonly string[];
  readonly proposal: Pick<MandateCommon['proposal'], 'side'>;
  /** The deal that is judged; it does not count among the others. */
  readonly dealId: string | null;
  readonly now: Date;
}

type TradeSoFar = Pick<MandateCommon, 'reserved' | 'sold' | 'deals'>;

/** Of an agent that is not there. */
export const NO_TRADE: TradeSoFar = {
  reserved: '0',
  sold: { day: '0', week: '0', month: '0', total: '0' },
  deals: { day: 0, total: 0 },
};

/**
 * What the agent dealt for its present owner, and in total since that owner signed the mandate in force; what is under way
 * settles under it, and holds money whoever the owner was.
 */
export async function tradeOf(
  db: Database,
  question: TradeQuestion,
  agent: { readonly owner: string },
  mandates: ReadonlyMap<string, MandateRow>,
): Promise<TradeSoFar> {
  const { handle, proposal, dealId, now, owners } = question;
  const traders = tradersOf(question) ?? [
    {
      handle,
      side: proposal.side,
      owner: owners?.[proposal.side === 'buy' ? 0 : 1] ?? (await lastBeneficialOwner(db, agent.owner)),
    },
  ];
  const since = traders.map((trader) => mandates.get(trader.handle)?.counts_from ?? null);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const ago = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
  const { rows } = await sql<
    Record<'handle' | 'reserved' | 'day' | 'week' | 'month' | 'total' | 'deals' | 'today', string>
  >`
    select asked.handle, traded.*
    from unnest(${traders.map((t) => t.handle)}::text[], ${traders.map((t) => t.side)}::text[],
      ${traders.map((t) => t.owner)}::text[], ${since}::timestamptz[]) as asked (handle, side, owner, since)
    cross join lateral (select
      coalesce(sum(d.price) filter (where d.state in ('determining', 'awaiting-owner', 'settling')
        and asked.handle = case when asked.side = 'buy' then d.buyer else d.seller end), 0)::text as reserved,
      coalesce(sum(d.price) filter (where c.sold and m.settled_at > ${ago(1)}), 0)::text as day,
      coalesce(sum(d.price) filter (where c.sold and m.settled_at > ${ago(7)}), 0)::text as week,
      coalesce(sum(d.price) filter (where c.sold and m.settled_at >= ${month}), 0)::text as month,
      coalesce(sum(d.price) filter (where c.sold and c.in_total), 0)::text as total,
      count(*) filter (where c.own and c.in_total)::text as deals,
      count(*) filter (where c.own and m.matched_at > ${ago(1)})::text as today
    from deals d
    join matches m on m.match_id = d.match_id
    cross join lateral (
      select asked.owner = case when d.seller = asked.handle then m.seller_owner else m.buyer_owner end as own,
        d.seller = asked.handle and m.seller_owner = asked.owner and d.state in ('settled', 'recorded') as sold,
        m.settled_at is null or m.settled_at > coalesce(asked.since, '-infinity') as in_total
    ) c
    where asked.handle in (d.seller, d.buyer) and d.state not in ('stopped', 'failed')
      and d.deal_id <> ${dealId ?? ''}) traded`.execute(db);
  const row = rows.find((found) => found.handle === handle)!;
  return {
    reserved: row.reserved,
    sold: { day: row.day, week: row.week, month: row.month, total: row.total },
    deals: { day: Number(row.today), total: Number(row.deals) },
  };
}

/** Both sides of a deal whose owners are known, so that each asks what the other asks; null for an agent by itself. */
function tradersOf({ sides, owners = [] }: TradeQuestion) {
  if (sides === undefined || owners.length < sides.length) return null;
  return sides.map(({ handle }, i) => ({
    ...{ handle, owner: owners[i]! },
    side: i === 0 ? ('buy' as const) : ('sell' as const),
  }));
}

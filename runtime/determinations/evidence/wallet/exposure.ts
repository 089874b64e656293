import type { RegisterState } from '../../../../agents/determinations/panel/lists.ts';
import { MAX_AGE_DAYS } from '../../../../agents/determinations/provenance/register-row.ts';
import type { Exposure } from '../../../../agents/determinations/wallet/money/exposure.ts';
import { aboutEach, runBatched } from '../../../../store/batched-keys.ts';
import type { Database } from '../../../../store/database.ts';
import { type HeldList, NEVER_FETCHED } from '../../../../store/registers/registers.ts';
import { listSource, missingOf } from '../registers/lists.ts';

const DAYS = 365;
const MOST = 200;
const REGISTERS = ['sanctions', 'known-scam'] as const;

interface Row {
  readonly counterparties: number;
  readonly dealings: number;
  readonly parties: readonly { account: string; owner: string; dealings: number; last: string }[];
  readonly lists: readonly (Pick<HeldList, 'source' | 'rows' | 'basis' | 'minimum' | 'synthetic' | 'root'> & {
    register: string;
    as_of: string;
  })[];
  readonly missing: readonly { register: string; source: string }[];
  readonly retracted: readonly { register: string; source: string; listed: string; until: string }[];
  readonly hits: readonly {
    register: string;
    source: string;
    key: string;
    first_seen: string;
    detail: Readonly<Record<string, unknown>>;
  }[];
}

/** `offset 0` makes Postgres find each agent's deals and each address by an index, instead of reading a whole table. */
const LOOK_UP = aboutEach({
  name: 'look-up-exposure',
  text: `
    with me as materialized (
      select handle, owner from agents where account = $1 or owner = $1 or session_key = $1
    ), dealt as (
      select d.other, coalesce(m.settled_at, d.updated_at) as at, lower(o.owner) as owner, me.owner as mine
      from me cross join lateral (
        select buyer as other, 'buy' as side, match_id, state, updated_at from deals where seller = me.handle
        union all select seller, 'sell', match_id, state, updated_at from deals where buyer = me.handle offset 0
      ) d
      join matches m on m.match_id = d.match_id
      join orders o on o.order_id = case d.side when 'buy' then m.buy_order else m.sell_order end
      where d.state in ('settled', 'recorded') and d.updated_at > $2
    ), parties as materialized (
      select lower(a.account) as account, dealt.owner, count(*) as dealings, max(dealt.at) as last
      from dealt join agents a on a.handle = dealt.other
      where dealt.owner <> lower(dealt.mine)
      group by 1, 2
    ), newest as materialized (select * from parties order by last desc, account limit ${MOST}),
    named as (select $1::text as key union select account from newest union select owner from newest)
    select
      (select count(*)::int from parties) as counterparties,
      (select coalesce(sum(dealings), 0)::int from parties) as dealings,
      (select coalesce(jsonb_agg(to_jsonb(newest) order by last desc, account), '[]') from newest) as parties,
      (select coalesce(jsonb_agg(jsonb_build_object('register', register, 'source', source, 'as_of', as_of,
          'rows', rows, 'basis', basis, 'minimum', minimum, 'synthetic', synthetic, 'root', root) order by source collate "C"), '[]')
        from register_lists where register = any($3)) as lists,
      (select coalesce(jsonb_agg(jsonb_build_object('register', register, 'source', source) order by source collate "C"), '[]')
        from (${NEVER_FETCHED}) never where register = any($3)) as missing,
      (select coalesce(jsonb_agg(to_jsonb(hit) order by hit.key collate "C", hit.source collate "C"), '[]')
        from named cross join lateral (select e.register, e.source, e.key, e.first_seen, e.detail
          from register_entries e
          where e.register = any($3) and e.key = named.key offset 0) hit) as hits,
      (select coalesce(jsonb_agg(jsonb_build_object('register', register, 'source', source, 'listed', listed_at,
          'until', retracted_at) order by retracted_at, source collate "C"), '[]')
        from register_retractions where register = any($3) and key = $1) as retracted`,
});

/**
 * What the lists say about an address and about other agents with which it settled deals, as an owner, an agent's
 * account or a session key, and about their owners. One statement reads it all, so that it shows one moment, however
 * many they are. Settled deals are public, so evidence may contain this. The owners are those at the time of the deal,
 * from the orders.
 * @param key the spelling of registers: lower case for EVM
 */
export async function gatherExposure(
  db: Database,
  key: string,
  now: Date,
): Promise<{ exposure: Exposure; sanctions: RegisterState; knownScam: RegisterState }> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const rows = await runBatched<Row>(db, LOOK_UP, key, [since, REGISTERS]);
  const { counterparties, dealings, parties, lists, missing, hits, retracted } = rows[0]!;
  const states = REGISTERS.map((register) => ({
    register,
    maxAgeDays: MAX_AGE_DAYS[register],
    lists: lists
      .filter((l) => l.register === register)
      .map((l) => listSource(register, { ...l, asOf: new Date(l.as_of), rows: Number(l.rows) })),
    ...missingOf(
      register,
      missing.filter((m) => m.register === register).map((m) => m.source),
    ),
    hits: hits
      .filter((h) => h.register === register)
      .map((h) => ({ key: h.key, list: `${register}/${h.source}`, since: listedSince(h), detail: h.detail })),
  }));
  const [sanctions, knownScam] = states.map((state) => ({
    ...state,
    lookedUp: [key],
    hits: state.hits
      .filter((h) => h.key === key)
      .map(({ list, detail }) => ({ key, list, ...whoseBy(detail) })),
    ...retractedFrom(state.register, key, retracted),
  }));
  const exposure = {
    days: DAYS,
    most: MOST,
    counterparties,
    dealings,
    parties: parties.map((p) => ({ ...p, last: new Date(p.last).toISOString() })),
    registers: states.map((state) => ({
      ...state,
      hits: state.hits.filter((h) => h.key !== key).map(({ detail: _, ...hit }) => hit),
    })),
  };
  return { exposure, sanctions: sanctions!, knownScam: knownScam! };
}

function whoseBy({ name, programs }: Readonly<Record<string, unknown>>): { whose?: string } {
  const whose = [name, programs].filter((part) => typeof part === 'string' && part !== '').join(', ');
  return whose === '' ? {} : { whose };
}

function retractedFrom(
  register: string,
  key: string,
  all: Row['retracted'],
): Pick<RegisterState, 'retracted'> {
  const own = all.filter((r) => r.register === register);
  if (own.length === 0) return {};
  const time = (text: string): string => new Date(text).toISOString();
  return {
    retracted: own.map((r) => ({
      ...{ key, list: `${register}/${r.source}`, listed: time(r.listed), until: time(r.until) },
    })),
  };
}

const SINCE = ['since', 'listed', 'listedat', 'listedon', 'published', 'publishedat', 'publishedon'] as const;

/** Since when an entry is on its list, as the list itself says it, ISO 8601; null when it does not. */
export function saidSince(detail: Readonly<Record<string, unknown>>): string | null {
  const said = SINCE.map((name) => Date.parse(String(detail[name] ?? ''))).filter((at) => !Number.isNaN(at));
  return said.length === 0 ? null : new Date(Math.min(...said)).toISOString();
}

/** Since when an entry is on its list: the day that the list gives, or the day when this service first saw it there. */
function listedSince({ first_seen, detail }: Row['hits'][number]): string {
  const seen = Date.parse(first_seen);
  const said = SINCE.map((name) => Date.parse(String(detail[name] ?? ''))).filter((at) => at <= seen);
  return new Date(Math.min(seen, ...said)).toISOString();
}

import { type Database, run, type Statement } from '../database.ts';
import { plannedForAny } from '../planning-client.ts';
import { IN_EARNEST, looks } from './looks.ts';

/** Somebody with whom an address dealt in earnest. Lower case. */
export interface AlikeRow {
  readonly of: string;
  readonly party: string;
  readonly token: string | null;
  /** The block of their oldest transfer in earnest that was found. */
  readonly since: string;
}

const ALIKE = plannedForAny(
  {
    name: 'find-alike-parties',
    // Whoever begins and ends otherwise looks like nobody here: two digits of each end are the least that is compared.
    text: `
      select asked.who as of, moved.party, moved.token, min(moved.block)::text as since
      from unnest($2::text[]) as asked (who) cross join lateral (
        ${looks('in')}
        union all
        ${looks('out')}
      ) moved
      where moved.counts and left(moved.party, 4) = left($5, 4) and right(moved.party, 2) = right($5, 2)
        and moved.party <> $5
      group by 1, 2, 3, moved.way
      having sum(moved.amount) >= case when moved.token is null then $6::numeric else $7::numeric end`,
  },
  ['bigint', 'text[]', 'bigint', 'bigint', 'text', 'numeric', 'numeric'],
);

/** Of those who are like an address, so many steps look for the ones with the fewest transfers. */
const MOST_STEPS = 8;

interface Asked {
  readonly chainId: number;
  /** The last block that counts. */
  readonly until: bigint;
}

/**
 * With whom these addresses dealt in more than dust who may look like `who`, over at most `most` transfers each way in
 * earnest, and what else is among their newest.
 */
export async function alikePartiesOf(
  db: Database,
  {
    chainId,
    until,
    who,
    of,
    most,
    dust,
  }: Asked & {
    readonly who: string;
    readonly of: readonly string[];
    readonly most: number;
    readonly dust: { readonly native: bigint; readonly token: bigint };
  },
): Promise<AlikeRow[]> {
  if (of.length === 0) return [];
  const limits = [dust.native.toString(), dust.token.toString()];
  return await run<AlikeRow>(db, ALIKE, [chainId, of, until, most, who, ...limits]);
}

/** Each address that begins like another is found by one step in an index, however much it moved. */
const beginningLike = (own: 'sender' | 'receiver'): Statement => {
  const next = (also: string): string =>
    `select ${own} as party from transfers where chain_id = $1 and ${IN_EARNEST} and ${also} and ${own} < $3
      order by ${own} limit 1`;
  return {
    name: `find-${own}s-that-begin-alike`,
    text: `
      with recursive met as (
        (${next(`${own} >= $2`)})
        union all
        select (${next(`${own} > met.party`)}) from met where met.party is not null
      )
      select coalesce(array_agg(party) filter (where right(party, 2) = right($4, 2)), '{}') as alike, count(*)::int as met
      from (select party from met where party is not null limit $5) met`,
  };
};
const BEGINNING_LIKE = [beginningLike('sender'), beginningLike('receiver')];

/**
 * Those who ever moved anything in earnest and may look like `who`, out of at most `most` each way that begin alike.
 * @returns null where there are more
 */
export async function addressesLike(
  db: Database,
  { chainId, who, most }: { readonly chainId: number; readonly who: string; readonly most: number },
): Promise<readonly string[] | null> {
  const begins = who.slice(0, 4);
  // A digit of an address is less than a g.
  const values = [chainId, begins, `${begins}g`, who, most + 1];
  const found = await Promise.all(
    BEGINNING_LIKE.map((asked) =>
      run<{ readonly alike: readonly string[]; readonly met: number }>(db, asked, values),
    ),
  );
  const ways = found.flat();
  if (ways.some(({ met }) => met > most)) return null;
  return [...new Set(ways.flatMap(({ alike }) => alike))].filter((address) => address !== who).sort();
}

const COUNTS = plannedForAny(
  {
    name: 'count-in-earnest',
    text: `
      select asked.who, (select count(*) from (
        (select 1 from transfers where chain_id = $1 and sender = asked.who and block <= $3 and ${IN_EARNEST} limit $4)
        union all
        (select 1 from transfers where chain_id = $1 and receiver = asked.who and block <= $3 and ${IN_EARNEST} limit $4)
      ) moved)::int as transfers
      from unnest($2::text[]) as asked (who)`,
  },
  ['bigint', 'text[]', 'bigint', 'bigint'],
);

/**
 * Those of these addresses whose transfers in earnest are the fewest, with no more than `most` of them together, and the
 * others.
 */
export async function fewestInEarnest(
  db: Database,
  { chainId, until, of, most }: Asked & { readonly of: readonly string[]; readonly most: number },
): Promise<{ readonly few: readonly string[]; readonly others: readonly string[] }> {
  const few: string[] = [];
  let [rest, left] = [of, most];
  // What those with less than an equal share leave over is shared by the others: no step reads more than is left.
  for (let step = 0; step < MOST_STEPS && rest.length > 0; step++) {
    const each = Math.floor(left / rest.length);
    const counts = await run<{ who: string; transfers: number }>(db, COUNTS, [
      chainId,
      rest,
      until,
      each + 1,
    ]);
    const found = counts.filter(({ transfers }) => transfers <= each);
    if (found.length === 0) break;
    few.push(...found.map(({ who }) => who));
    left -= found.reduce((sum, { transfers }) => sum + transfers, 0);
    rest = counts.filter(({ transfers }) => transfers > each).map(({ who }) => who);
  }
  return { few, others: rest };
}

const DEALT = plannedForAny(
  {
    name: 'find-dealings-of-alike',
    text: `
      select theirs.who as of, asked.who as party, moved.token, min(moved.block)::text as since
      from unnest($2::text[]) as asked (who) cross join lateral (
        ${looks('in', 'true', '$5')}
        union all
        ${looks('out', 'true', '$5')}
      ) moved join unnest($6::text[]) as theirs (who) on theirs.who = moved.party
      where moved.counts
      group by 1, 2, 3, moved.way
      having sum(moved.amount) >= case when moved.token is null then $7::numeric else $8::numeric end`,
  },
  ['bigint', 'text[]', 'bigint', 'bigint', 'bigint', 'text[]', 'numeric', 'numeric'],
);

/**
 * Which of `of` each of these addresses, who are like another, dealt with in more than dust: over at most `most` transfers
 * of each in earnest each way, and over what else is among its newest `newest`.
 */
export async function dealingsOf(
  db: Database,
  asked: Asked & {
    readonly alike: readonly string[];
    readonly of: readonly string[];
    readonly most: number;
    readonly newest: number;
    readonly dust: { readonly native: bigint; readonly token: bigint };
  },
): Promise<AlikeRow[]> {
  const { chainId, until, alike, of, most, newest, dust } = asked;
  if (alike.length === 0 || of.length === 0) return [];
  const limits = [most, newest, of, dust.native.toString(), dust.token.toString()];
  return await run<AlikeRow>(db, DEALT, [chainId, alike, until, ...limits]);
}

const EMPTY: Statement = {
  name: 'list-empty-transfers',
  text: `
    select tx from (
      select tx, block, receiver, amount from transfers
      where chain_id = $1 and sender = $3 and block <= $2 order by block desc limit 5000
    ) newest where receiver = $4 and amount = 0 order by block desc limit $5`,
};

/** The transactions of the newest transfers of nothing from one address to another, among the newest 5,000 of its own. */
export async function emptyTransfers(
  db: Database,
  {
    chainId,
    until,
    from,
    to,
    most,
  }: Asked & { readonly from: string; readonly to: string; readonly most: number },
): Promise<string[]> {
  return (await run<{ tx: string }>(db, EMPTY, [chainId, until, from, to, most])).map(({ tx }) => tx);
}

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

import { type Database, run, type Statement } from '../database.ts';
import { plannedForAny } from '../planning-client.ts';
import { looks } from './looks.ts';

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

import { sql } from 'kysely';
import type { Asset } from '../../agents/assets.ts';
import type { Database } from '../database.ts';
import { parsedAll } from '../parsed.ts';

/** A thing that an agent listed or bought, and so may hold now. */
export interface MayHold {
  readonly key: string;
  readonly asset: Asset;
  /** Its last seller's words. */
  readonly description: string;
  /** Null where it is not for sale. */
  readonly listingRef: string | null;
}

/** What an agent listed or bought here, the newest of each; only the chain tells whether it holds it. */
export async function mayHold(db: Database, handle: string, most: number): Promise<readonly MayHold[]> {
  const { rows } = await sql<MayHold>`
    with known as (
      (select asset_key from listings where handle = ${handle} and status <> 'unpaid'
        order by seq desc limit ${most})
      union
      (select m.asset_key from deals d join matches m on m.match_id = d.match_id
        where d.buyer = ${handle} and m.settled_at is not null order by m.seq desc limit ${most})
    )
    select distinct on (l.asset_key) l.asset_key as key, l.asset, l.description,
      case when l.status = 'live' then l.listing_ref end as "listingRef"
    from listings l join known using (asset_key)
    where l.status <> 'unpaid'
    order by l.asset_key, l.seq desc`.execute(db);
  return parsedAll('listings', rows);
}

import { sql } from 'kysely';
import type { Contacts } from '../../agents/determinations/look-alike.ts';
import type { Database } from '../../store/database.ts';

const DAYS = 365;
const MOST = 2_000;

/**
 * Accounts and owners that this owner's agents settled deals with, the latest first. Settled deals are public, so that
 * this may stand in evidence.
 * @param owner lower case
 */
export async function gatherContacts(db: Database, owner: string, now: Date): Promise<Contacts> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const { rows } = await sql<{ address: string }>`
    select address from (
      select lower(address) as address, max(d.updated_at) as at
      from deals d
      join agents me on me.handle in (d.seller, d.buyer)
      join agents other on other.handle in (d.seller, d.buyer) and other.handle <> me.handle
      cross join lateral (values (other.account), (other.owner)) as seen (address)
      where lower(me.owner) = ${owner} and lower(other.owner) <> ${owner}
        and d.state in ('settled', 'recorded') and d.updated_at > ${since}
      group by 1
    ) known order by at desc, address limit ${MOST}`.execute(db);
  return { days: DAYS, addresses: rows.map((r) => r.address) };
}

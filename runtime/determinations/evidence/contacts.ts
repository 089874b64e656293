import { alikeAlone, type Contacts } from '../../../agents/determinations/wallet/look-alike.ts';
import { NOBODY } from '../../../agents/ids.ts';
import { transferParties } from '../../../store/chain-sync/flows.ts';
import { type Database, run, type Statement } from '../../../store/database.ts';

const DAYS = 365;
const MOST = 2_000;

const CONTACTS: Statement = {
  name: 'find-contacts',
  // `offset 0` makes Postgres find an owner's agents and their deals by an index, instead of reading a whole table.
  text: `
    with asking as materialized (
      select distinct owner from agents where account = $1 or owner = $1 or session_key = $1
    ), me as materialized (
      select own.handle, own.owner from asking cross join lateral (
        select handle, owner from agents where owner = asking.owner offset 0
      ) own
    ), dealt as (
      select d.other, d.updated_at, me.owner as mine from me cross join lateral (
        select buyer as other, state, updated_at from deals where seller = me.handle
        union all select seller, state, updated_at from deals where buyer = me.handle offset 0
      ) d where d.state in ('settled', 'recorded') and d.updated_at > $2
    )
    select address from (
      select lower(address) as address, max(dealt.updated_at) as at
      from dealt join agents other on other.handle = dealt.other
      cross join lateral (values (other.account), (other.owner)) as seen (address)
      where lower(other.owner) <> lower(dealt.mine)
      group by 1
    ) known order by at desc, address limit ${MOST}`,
};

/**
 * Accounts and owners with which an owner's agents settled deals, the latest first. Settled deals are public, but who
 * asks about an address is not.
 * @param asker the owner, or the account or session key of one of its agents; lower case
 */
export async function gatherContacts(db: Database, asker: string, now: Date): Promise<Contacts> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const rows = await run<{ address: string }>(db, CONTACTS, [asker, since]);
  return { days: DAYS, addresses: rows.map((r) => r.address) };
}

/**
 * As {@link gatherContacts}, and with whom the asker's wallet moved money on the chains that are followed here.
 * @param like of those with whom it moved money, only who looks like this address is kept; null: all of them
 */
export async function gatherDealtWith(
  db: Database,
  asker: string,
  now: Date,
  like: string | null,
): Promise<Contacts> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const [deals, moved] = await Promise.all([
    gatherContacts(db, asker, now),
    transferParties(db, asker, { since, most: MOST }),
  ]);
  const parties = moved.filter((address) => address !== NOBODY);
  const kept = like === null ? parties : alikeAlone(like, { days: DAYS, addresses: parties }).addresses;
  return { days: DAYS, addresses: [...new Set([...deals.addresses, ...kept])], onChain: true };
}

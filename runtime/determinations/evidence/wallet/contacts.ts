import { alikeAlone, type Contacts } from '../../../../agents/determinations/wallet/look-alike/look-alike.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import { aboutEach, runBatched } from '../../../../store/batched-keys.ts';
import { payeesOf } from '../../../../store/chain-sync/flows.ts';
import type { Database } from '../../../../store/database.ts';

const DAYS = 365;
const MOST = 2_000;

const CONTACTS = aboutEach({
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
});

/**
 * Accounts and owners with which an owner's agents settled deals, the latest first. Settled deals are public, but who
 * asks about an address is not.
 * @param asker the owner, or the account or session key of one of its agents; lower case
 */
export async function gatherContacts(db: Database, asker: string, now: Date): Promise<Contacts> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const rows = await runBatched<{ address: string }>(db, CONTACTS, asker, [since]);
  return { days: DAYS, addresses: rows.map((r) => r.address) };
}

/**
 * As {@link gatherContacts}, and whom the asker's wallet paid on the chains that are followed here. Who paid the asker, or
 * sent it dust, is nobody that it knows.
 * @param address the one that is asked about, lower case
 * @param named of those who were paid, only who looks like the address is kept
 */
export async function gatherDealtWith(
  db: Database,
  asker: string,
  now: Date,
  { address, named }: { readonly address: string; readonly named: boolean },
): Promise<Contacts> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const [deals, paid] = await Promise.all([
    gatherContacts(db, asker, now),
    payeesOf(db, asker, { since, most: MOST }),
  ]);
  const payees = paid.filter((payee) => payee !== NOBODY);
  const kept = named ? alikeAlone(address, { days: DAYS, addresses: payees }).addresses : payees;
  const known = deals.addresses.includes(address) || payees.includes(address);
  return {
    ...{ days: DAYS, addresses: [...new Set([...deals.addresses, ...kept])], onChain: true },
    ...(known ? { known: true } : {}),
  };
}

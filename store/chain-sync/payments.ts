import { type Database, run } from '../database.ts';
import { plannedForAny } from '../planning-client.ts';
import { looks } from './looks.ts';

/** Whether the payments were found among those to an address that was asked about, or among those that it made. */
type Way = 'into' | 'out';

/** Payments from one address to another in one token, over those that were looked at. Lower case. */
export interface PaymentRow {
  readonly way: Way;
  readonly from: string;
  readonly to: string;
  readonly token: string;
  readonly amount: string;
  /** How many of the newest in earnest these are. */
  readonly earnest: number;
}

const one = (way: Way, counts = 'tx not in (select unnest($5::text[]))'): string => {
  const [from, to] = way === 'into' ? ['paid.party', 'asked.who'] : ['asked.who', 'paid.party'];
  return `
  select '${way}' as way, ${from} as from, ${to} as to, paid.token,
    coalesce(sum(paid.amount) filter (where paid.counts), 0)::text as amount,
    (count(*) filter (where paid.earnest))::int as earnest
  from unnest($2::text[]) as asked (who) cross join lateral (
      ${looks(way === 'into' ? 'in' : 'out', `token is not null and ${counts}`)}
  ) paid
  group by 2, 3, 4`;
};

const ASK = ['bigint', 'text[]', 'bigint', 'bigint', 'text[]'];
const BOTH = plannedForAny({ name: 'sum-up-payments', text: `${one('into')} union all ${one('out')}` }, ASK);

interface Asked {
  readonly chainId: number;
  readonly addresses: readonly string[];
  /** The last block that counts. */
  readonly until: bigint;
  /** How many payments in earnest of each address are read, and of its newest transfers how many for the others. */
  readonly most: number;
  /** Transactions that do not count: settlements. */
  readonly without: readonly string[];
}

/** Sums up what these addresses were paid, and what they paid, in tokens. */
export async function sumPayments(
  db: Database,
  { chainId, addresses, until, most, without }: Asked,
): Promise<PaymentRow[]> {
  if (addresses.length === 0) return [];
  return await run<PaymentRow>(db, BOTH, [chainId, addresses, until, most, without]);
}

const OWN = plannedForAny(
  {
    name: 'sum-up-own-payments',
    text: `
    with settled as materialized (
      select distinct one.tx
      from unnest($2::text[]) as asked (owner) cross join lateral (
        (select tx from matches where seller_owner = asked.owner and settled_at is not null
          order by matched_at desc limit $5)
        union all
        (select tx from matches where buyer_owner = asked.owner and settled_at is not null
          order by matched_at desc limit $5)
      ) one
      where one.tx is not null
    )
    select p.*, null as tx from (${one('into', 'tx not in (select tx from settled)')}) p
    union all
    select null, null, null, null, null, null, tx from settled`,
  },
  ['bigint', 'text[]', 'bigint', 'bigint', 'bigint'],
);

/** What some sides were paid outside of their own deals. */
interface OwnPayments {
  readonly paid: readonly PaymentRow[];
  /** The transactions in which the newest deals of these owners settled. */
  readonly without: readonly string[];
}

/**
 * As {@link sumPayments} into these addresses, without the settlements of their owners, which stand among them.
 * @param asked.deals of each owner, the newest that are looked at
 */
export async function sumOwnPayments(
  db: Database,
  {
    chainId,
    addresses,
    until,
    most,
    deals,
  }: Omit<Asked, 'without'> & {
    readonly deals: number;
  },
): Promise<OwnPayments> {
  const rows = await run<PaymentRow & { readonly tx: string | null }>(db, OWN, [
    ...[chainId, addresses, until, most, deals],
  ]);
  return {
    paid: rows.filter(({ tx }) => tx === null),
    without: rows.flatMap(({ tx }) => (tx === null ? [] : [tx])),
  };
}

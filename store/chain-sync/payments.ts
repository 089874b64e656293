import { type Database, run, type Statement } from '../database.ts';
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

const one = (way: Way): string => {
  const [from, to] = way === 'into' ? ['paid.party', 'asked.who'] : ['asked.who', 'paid.party'];
  return `
  select '${way}' as way, ${from} as from, ${to} as to, paid.token,
    coalesce(sum(paid.amount) filter (where paid.counts), 0)::text as amount,
    (count(*) filter (where paid.earnest))::int as earnest
  from unnest($2::text[]) as asked (who) cross join lateral (
      ${looks(way === 'into' ? 'in' : 'out', 'token is not null and tx <> all($5::text[])')}
  ) paid
  group by 2, 3, 4`;
};

const ASK = ['bigint', 'text[]', 'bigint', 'bigint', 'text[]'];
const STATEMENTS: Readonly<Record<'into' | 'both', Statement>> = {
  into: plannedForAny({ name: 'sum-up-payments-into', text: one('into') }, ASK),
  both: plannedForAny({ name: 'sum-up-payments', text: `${one('into')} union all ${one('out')}` }, ASK),
};

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

/** Sums up what these addresses were paid, or that and what they paid, in tokens. */
export async function sumPayments(
  db: Database,
  ways: 'into' | 'both',
  { chainId, addresses, until, most, without }: Asked,
): Promise<PaymentRow[]> {
  if (addresses.length === 0) return [];
  return await run<PaymentRow>(db, STATEMENTS[ways], [chainId, addresses, until, most, without]);
}

const SETTLEMENTS: Statement = {
  name: 'list-settlements-of-owners',
  text: `
    select distinct settled.tx from unnest($1::text[]) as asked (owner) cross join lateral (
      (select tx from matches where seller_owner = asked.owner and settled_at is not null
        order by matched_at desc limit $2)
      union all
      (select tx from matches where buyer_owner = asked.owner and settled_at is not null
        order by matched_at desc limit $2)
    ) settled
    where settled.tx is not null`,
};

/** The transactions in which the newest deals of these owners settled. @param owners lower case */
export async function settlementsOf(
  db: Database,
  owners: readonly string[],
  most: number,
): Promise<string[]> {
  const rows = await run<{ tx: string }>(db, SETTLEMENTS, [owners, most]);
  return rows.map(({ tx }) => tx);
}

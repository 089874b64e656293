import { type Database, run, type Statement } from '../database.ts';

/** Payments from one address to another in one token, over the newest of them. Lower case. */
export interface PaymentRow {
  readonly from: string;
  readonly to: string;
  readonly token: string;
  readonly amount: string;
}

const one = (way: 'receiver' | 'sender'): string => `
  select paid.sender as from, paid.receiver as to, paid.token, sum(paid.amount)::text as amount
  from unnest($2::text[]) as asked (who) cross join lateral (
    select sender, receiver, token, amount, tx from transfers
    where chain_id = $1 and ${way} = asked.who and block <= $3 order by block desc limit $4
  ) paid
  where paid.token is not null and paid.tx <> all($5::text[])
  group by 1, 2, 3`;

const STATEMENTS: Readonly<Record<'into' | 'out', Statement>> = {
  into: { name: 'sum-up-payments-into', text: one('receiver') },
  out: { name: 'sum-up-payments-out', text: one('sender') },
};

interface Asked {
  readonly chainId: number;
  readonly addresses: readonly string[];
  /** The last block that counts. */
  readonly until: bigint;
  /** How many of each address' newest transfers are read. */
  readonly most: number;
  /** Transactions that do not count: settlements. */
  readonly without: readonly string[];
}

/** Sums up what these addresses were paid, or what they paid, in tokens. */
export async function sumPayments(
  db: Database,
  way: 'into' | 'out',
  { chainId, addresses, until, most, without }: Asked,
): Promise<PaymentRow[]> {
  if (addresses.length === 0) return [];
  return await run<PaymentRow>(db, STATEMENTS[way], [chainId, addresses, until, most, without]);
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

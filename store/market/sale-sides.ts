import { type Database, run, type Statement } from '../database.ts';

/** The two sides of a settled sale: owners, and the accounts of their agents. Lower case. */
export interface SaleSidesRow {
  /** The match's. */
  readonly id: string;
  readonly chainId: number;
  readonly seller: string;
  readonly buyer: string;
  readonly sellerAccount: string;
  readonly buyerAccount: string;
}

const SIDES: Statement = {
  name: 'sides-of-sales',
  text: `
    select m.match_id as id, s.chain_id as "chainId", m.seller_owner as seller, m.buyer_owner as buyer,
      lower(s.account) as "sellerAccount", lower(b.account) as "buyerAccount"
    from matches m
    join orders so on so.order_id = m.sell_order join agents s on s.handle = so.handle
    join orders bo on bo.order_id = m.buy_order join agents b on b.handle = bo.handle
    where m.match_id = any($1) order by m.match_id`,
};

/** Who sold and who bought in these matches. */
export async function saleSides(db: Database, matches: readonly string[]): Promise<SaleSidesRow[]> {
  return matches.length === 0 ? [] : await run<SaleSidesRow>(db, SIDES, [matches]);
}

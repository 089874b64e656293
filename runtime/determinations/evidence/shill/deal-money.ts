import { sql } from 'kysely';
import type { PinnedBlocks } from '../../../../agents/determinations/panel/types.ts';
import type { MoneyTrails } from '../../../../agents/determinations/shill/money-trails.ts';
import type { Side } from '../../../../agents/determinations/shill/payers.ts';
import { isMovingBid } from '../../../../store/market/moving-bids.ts';
import type { EvidenceDeps } from '../../deps.ts';
import { gatherMoneyTrails } from './bidder-money.ts';

/** Of more bidders on one listing than this, the first are looked at. */
const MOST_BIDDERS = 100;

interface BidRow {
  readonly owner: string | null;
  readonly account: string | null;
  readonly seller: string;
  readonly buyer: string;
}

/**
 * Where the money of a deal's buyer, and of those who bid on its listing before, came from, as a lot's judge asks it of
 * all bidders of a seller. The buyer stands under `buyer`, the others under labels.
 * @param accounts of both sides' agents
 * @returns undefined where no index of transfers is kept: what the sides paid each other is then read from the chain alone
 */
export async function gatherDealMoney(
  deps: EvidenceDeps,
  question: {
    readonly dealId: string;
    readonly chainId: number;
    readonly blocks: PinnedBlocks;
    readonly accounts: { readonly buyer: string; readonly seller: string };
  },
): Promise<MoneyTrails | undefined> {
  const { dealId, chainId, blocks, accounts } = question;
  const { rows } = await sql<BidRow>`
    select lower(o.owner) as owner, lower(a.account) as account, m.seller_owner as seller, m.buyer_owner as buyer
    from matches m join orders s on s.order_id = m.sell_order
      left join orders o on o.listing_ref = s.listing_ref and ${isMovingBid}
      left join agents a on a.handle = o.handle
    where m.deal_id = ${dealId}
    group by 1, 2, 3, 4 order by min(o.seq) limit ${MOST_BIDDERS}`.execute(deps.db);
  const first = rows[0];
  if (first === undefined) return undefined;
  const sides = new Map<string, Set<string>>([[first.buyer, new Set([first.buyer, accounts.buyer])]]);
  for (const { owner, account } of rows) {
    if (owner === null || owner === first.seller) continue;
    const own = sides.get(owner) ?? new Set([owner]);
    sides.set(owner, account === null ? own : own.add(account));
  }
  const bidders = [...sides].map(([owner, own], i): Side => {
    return { name: owner === first.buyer ? 'buyer' : `bidder-${i}`, addresses: [...own] };
  });
  const money = await gatherMoneyTrails(deps, {
    ...{ chainId, blocks },
    seller: { name: 'seller', addresses: [first.seller, accounts.seller] },
    bidders,
    attached: null,
    purses: false,
    lotsOf: new Map(bidders.map(({ name }) => [name, 1])),
  });
  return money ?? undefined;
}

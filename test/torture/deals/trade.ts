import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem/accounts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import type { PoolStage } from '../../fixtures/pool-stage.ts';
import type { Agent, Story } from '../../fixtures/story-stage.ts';
import { balancesOf, type Opening, vaultOf } from './ledger.ts';

interface Trader extends Agent {
  readonly owner: PrivateKeyAccount;
}

export interface Furnished {
  readonly opening: Opening;
  readonly buyers: readonly Trader[];
  readonly sellers: readonly Trader[];
}

const SELLS = 'Sell digital products, max 500 USDC per deal, for 30 days.';
const BUYS = 'Buy digital products, max 500 USDC per deal, for 30 days.';
const SELLERS = 2;
const BUYERS = 4;
/** What is paid for a lot is at most this. */
export const LIMIT_USD = 110;
const LONG = { timeoutMs: 600_000, everyMs: 250 };

/** Agents with money, and as many lots as there are to be deals. */
export async function furnished(stage: PoolStage, story: Story, deals: number): Promise<Furnished> {
  const trader = async (handle: string, mandate: string): Promise<Trader> => {
    const owner = await story.proceedingOwner();
    return { ...(await story.assemble(owner, handle, mandate)), owner };
  };
  const sellers: Trader[] = [];
  const buyers: Trader[] = [];
  for (let i = 0; i < SELLERS; i++) sellers.push(await trader(`seller-${i}`, SELLS));
  for (let i = 0; i < BUYERS; i++) {
    const buyer = await trader(`buyer-${i}`, BUYS);
    // One of them may have to buy everything.
    await fund(stage.folder.env, buyer.account, String(deals * LIMIT_USD));
    buyers.push(buyer);
  }
  const lots = [];
  for (let i = 0; i < deals; i++) {
    const seller = sellers[i % SELLERS]!;
    lots.push({ ...(await story.list(seller.owner, seller, { askUsd: 120, floorUsd: 100 })), seller });
  }
  const accounts = [...sellers, ...buyers].map((agent) => agent.account);
  const balances = await balancesOf(stage, [...accounts, vaultOf(stage)]);
  return { opening: { selling: sellers, buying: buyers, lots, balances }, buyers, sellers };
}

/** Orders a lot until there is a deal about it: whoever gets no answer asks again. @returns how often it did */
export async function buy(
  stage: PoolStage,
  story: Story,
  buyer: Trader,
  { lots }: Opening,
  i: number,
): Promise<number> {
  const lot = lots[i]!;
  for (let again = 0; ; again++) {
    const answer = await story.order(buyer.owner, buyer, lot, LIMIT_USD).catch(() => null);
    if (answer?.status === 201) return again;
    if (
      answer !== null &&
      answer.status < 500 &&
      answer.status !== 429 &&
      (await matched(stage, lot.listingRef))
    )
      return again;
    if (answer !== null && answer.status < 500 && ![401, 409, 429].includes(answer.status))
      throw new Error(`an order: ${answer.status} ${JSON.stringify(answer.body)}`);
    await sleep(200);
  }
}

async function matched(stage: PoolStage, listingRef: string): Promise<boolean> {
  const found = stage.db
    .selectFrom('matches')
    .innerJoin('orders', 'orders.order_id', 'matches.buy_order')
    .select('matches.match_id')
    .where('orders.listing_ref', '=', listingRef)
    .execute();
  return (await found.catch(() => [])).length > 0;
}

/**
 * Waits until no deal is under way, no event is unserved, and every record is under a root: as long as there is less of
 * them than before, however slow the machine is.
 */
export async function settledDown({ db }: PoolStage): Promise<void> {
  const ended = ['recorded', 'stopped', 'failed'] as const;
  const left = async (): Promise<number> => {
    const open = await db.selectFrom('deals').select('deal_id').where('state', 'not in', ended).execute();
    const mail = await db.selectFrom('mailbox').select('seq').where('consumed_at', 'is', null).execute();
    const records = await db.selectFrom('records').select('seq').where('batch_id', 'is', null).execute();
    return open.length + mail.length + records.length;
  };
  for (let least = Number.POSITIVE_INFINITY; least > 0; )
    least = await until(
      'every deal at its end',
      async () => {
        const now = await left();
        return now < least ? now : null;
      },
      LONG,
    );
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem/accounts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { everyLifeIsWhole } from '../../fixtures/actors/whole-lives.ts';
import { type PoolStage, poolStage } from '../../fixtures/pool-stage.ts';
import { type Agent, type Story, storyOn } from '../../fixtures/story-stage.ts';
import { random } from '../../simulator/random.ts';
import { startFaults } from './faults.ts';
import { account, balancesOf, type Ledger, type Opening, vaultOf } from './ledger.ts';

export interface DealsTorture extends Ledger {
  /** What happened meanwhile, and how often. */
  readonly suffered: Readonly<Record<string, number>>;
  /** Orders that were sent again, because they were refused for now or not answered. */
  readonly again: number;
}

interface Trader extends Agent {
  readonly owner: PrivateKeyAccount;
}

const SELLS = 'Sell digital products, max 500 USDC per deal, for 30 days.';
const BUYS = 'Buy digital products, max 500 USDC per deal, for 30 days.';
const SELLERS = 2;
const BUYERS = 4;
/** What is paid for a lot is at most this. */
const LIMIT_USD = 110;
/** How long deals suffer after the last of them was ordered. */
const MOST_TROUBLE_MS = 20_000;
const LONG = { timeoutMs: 600_000, everyMs: 250 };

/** Trades while every part of the service is killed, paused and restarted by seed. @returns the ledger at the end */
export async function tortureByFaults(seed: string, deals: number): Promise<DealsTorture> {
  const stage = await poolStage();
  try {
    const story = storyOn(stage.folder);
    await story.importLists();
    const workers = [await stage.worker(), await stage.worker()];
    const { opening, buyers } = await furnished(stage, story, deals);
    const faults = startFaults(stage, random(seed), workers);
    let again = 0;
    const queue = [...opening.lots.keys()];
    const trade = async (buyer: Trader): Promise<void> => {
      for (let i = queue.shift(); i !== undefined; i = queue.shift())
        again += await buy(stage, story, buyer, opening, i);
    };
    await Promise.all(buyers.map(trade));
    // What was ordered goes on under faults for a while, and then to its end without any.
    await Promise.race([settledDown(stage).catch(() => {}), sleep(MOST_TROUBLE_MS)]);
    await faults.stop();
    await settledDown(stage);
    const ledger = await account(stage, story, opening);
    await everyLifeIsWhole(stage.db);
    const suffered: Record<string, number> = {};
    for (const name of faults.done) suffered[name] = (suffered[name] ?? 0) + 1;
    return { ...ledger, suffered, again };
  } finally {
    await stage.stop();
  }
}

interface Furnished {
  readonly opening: Opening;
  readonly buyers: readonly Trader[];
}

async function furnished(stage: PoolStage, story: Story, deals: number): Promise<Furnished> {
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
  return { opening: { selling: sellers, buying: buyers, lots, balances }, buyers };
}

/** Orders a lot until there is a deal about it: whoever gets no answer asks again. @returns how often it did */
async function buy(
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

/** Waits until no deal is under way, no event is unserved, and every record is under a root. */
async function settledDown({ db }: PoolStage): Promise<void> {
  await until(
    'every deal at its end',
    async () => {
      const ended = ['recorded', 'stopped', 'failed'] as const;
      const open = await db.selectFrom('deals').select('deal_id').where('state', 'not in', ended).execute();
      const mail = await db.selectFrom('mailbox').select('seq').where('consumed_at', 'is', null).execute();
      const records = await db.selectFrom('records').select('seq').where('batch_id', 'is', null).execute();
      return open.length + mail.length + records.length === 0 ? true : null;
    },
    LONG,
  );
}

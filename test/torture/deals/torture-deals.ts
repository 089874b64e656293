import { setTimeout as sleep } from 'node:timers/promises';
import { everyLifeIsWhole } from '../../fixtures/actors/whole-lives.ts';
import { poolStage } from '../../fixtures/pool-stage.ts';
import { storyOn } from '../../fixtures/story-stage.ts';
import { random } from '../../simulator/random.ts';
import { startFaults } from './faults.ts';
import { account, type Ledger } from './ledger.ts';
import { buy, type Furnished, furnished, settledDown } from './trade.ts';

export interface DealsTorture extends Ledger {
  /** What happened meanwhile, and how often. */
  readonly suffered: Readonly<Record<string, number>>;
  /** Orders that were sent again, because they were refused for now or not answered. */
  readonly again: number;
}

/** How long deals suffer after the last of them was ordered. */
const MOST_TROUBLE_MS = 20_000;

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
    const trade = async (buyer: Furnished['buyers'][number]): Promise<void> => {
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

import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../runtime/cli/demo/client.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { findPostgres } from '../../store/embedded.ts';
import { everyLifeIsWhole } from '../fixtures/actors/whole-lives.ts';
import { runCommand, type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { type Agent, type Story, storyOn } from '../fixtures/story-stage.ts';

/**
 * Runs the whole service in a process of its own, kills it with SIGKILL at a named point, and starts it again on its
 * data.
 */

let folder: ServiceFolder;
afterEach(() => folder.remove());

const SELLS = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
const BUYS = 'Buy digital products, max 150 USDC per deal and 200 USDC per day, for 30 days.';

/** Agents must not compete with those who order here. */
const QUIET = { WATCH_SECONDS: '0' };

async function killed(service: { ended: Promise<number | string> }): Promise<void> {
  expect(await service.ended).toBe('SIGKILL');
}

/** Two agents, a lot at 120 with a floor of 100, and money to buy it. */
async function market(story: Story) {
  await story.importLists();
  const [seller, buyer] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
  const selling = await story.assemble(seller, 'seller-one', SELLS);
  const buying = await story.assemble(buyer, 'buyer-one', BUYS);
  const lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
  await story.give(buyer, buying.account, 300);
  return { seller, buyer, selling, buying, lot };
}

/** The service crashes at each of these in turn: after effects, by their kinds, and between two steps. */
const BEFORE_THE_MARKET = [
  'after-payment-before-mint',
  'after-mint-agent-run-before-commit',
  'after-record-purchase-run-before-commit',
];
const IN_THE_DEAL = [
  'after-match-before-settlement',
  'after-determine-run-before-commit',
  'after-settlement-before-record',
  'after-settle-run-before-commit',
  'after-record-deal-run-before-commit',
];

/** Pretends that the time has passed for which a vanished process is waited for; the database survives the service. */
async function leasesRunOut(): Promise<void> {
  await overDatabase((db) =>
    sql`update effects set lease_until = clock_timestamp() - interval '1 hour' where status = 'running'`.execute(
      db,
    ),
  );
}

async function overDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const url = await findPostgres(folder.dataDir);
  if (url === null) throw new Error('no database runs on the folder');
  const db = openDatabase(url, { max: 2 });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Starts on the existing data and crashes at the next point. */
async function diesAt(point: string): Promise<void> {
  await leasesRunOut();
  await killed(folder.attempt({ ...QUIET, CRASH_AT: point }));
}

describe('a service that dies', { timeout: 420_000 }, () => {
  it('at every named point of its life does each thing once, and its actors’ histories are complete', async () => {
    folder = await serviceFolder();
    const [bought, minting, recording] = BEFORE_THE_MARKET as [string, string, string];
    const first = await folder.start({ ...QUIET, CRASH_AT: bought });
    const before = storyOn(folder);
    await before.importLists();
    const [seller, buyer] = [await before.proceedingOwner(), await before.proceedingOwner()];
    const checkout = await before.openCheckout(seller, 'phoenix', SELLS);
    await before.pay(checkout).catch(() => {});
    await killed(first);
    await diesAt(minting);
    await diesAt(recording);

    const [matched, ...rest] = IN_THE_DEAL as [string, ...string[]];
    await leasesRunOut();
    const market = await folder.start({ ...QUIET, CRASH_AT: matched });
    const selling = await before.minted(checkout);
    await before.recorded(selling, 'agent-purchase');
    const buying = await before.assemble(buyer, 'buyer-one', BUYS);
    const lot = await before.list(seller, selling, { askUsd: 120, floorUsd: 100 });
    await before.give(buyer, buying.account, 300);
    await before.order(buyer, buying, lot, 110).catch(() => {});
    await killed(market);
    for (const point of rest) await diesAt(point);

    await leasesRunOut();
    await folder.start(QUIET);
    const story = storyOn(folder);
    await story.recorded(buying, 'deal-settled');
    const chain = story.chain();
    expect([await chain.mints(), await chain.settlements()]).toEqual([2, 1]);
    expect((await chain.ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
    expect(await chain.usdcOf(selling.account)).toBe(102_900_000n);
    expect(await chain.usdcOf(buying.account)).toBe(195_000_000n);
    const { items: matches } = (await story.api.get('/matches')).body;
    expect(matches).toEqual([expect.objectContaining({ tx: expect.stringMatching(/^0x/) })]);
    const recorded = async (agent: Agent, kind: string): Promise<number> => {
      const { items } = (await story.api.get(`/agent/${agent.handle}/activity`)).body;
      return items.filter((r: { kind: string }) => r.kind === kind).length;
    };
    // The processor never got its answer, so it delivered the webhook again, which must not pay for anything else.
    expect(await recorded(selling, 'agent-purchase')).toBe(1);
    expect(await recorded(buying, 'deal-settled')).toBe(1);

    await overDatabase(everyLifeIsWhole);
    const told = await runCommand(['agent', 'replay', selling.handle], { env: folder.env });
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(told.stdout).toMatch(/^batch 1 {2}\S.*\n {2}before {2}\{.*\n {2}after {2}/);
    expect(told.stdout).toMatch(/\nsame: \d+ batches from its birth lead to the snapshot that stands\n$/);
    const shown = await runCommand(['agent', 'show', buying.handle], { env: folder.env });
    expect(shown.stdout).toMatch(/^agent:buyer-one {2}active, revision \d+/);
  });

  it('at any moment loses nothing and does nothing twice', async () => {
    folder = await serviceFolder();
    let service = await folder.start(QUIET);
    const { buyer, buying, lot, selling } = await market(storyOn(folder));
    const placed = await storyOn(folder).order(buyer, buying, lot, 110);
    expect(placed.status).toBe(201);
    for (const waitMs of [30, 120, 350]) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      service.kill('SIGKILL');
      await killed(service);
      await leasesRunOut();
      service = await folder.start(QUIET);
    }
    const story = storyOn(folder);
    await story.recorded(buying, 'deal-settled');
    expect(await story.chain().settlements()).toBe(1);
    expect(await story.chain().mints()).toBe(2);
    expect(await story.chain().usdcOf(selling.account)).toBe(102_900_000n);
    await until('every record under a root', async () => {
      const { items } = (await story.api.get(`/agent/${buying.handle}/activity`)).body;
      return items.every((r: { state: string }) => r.state === 'anchored') ? true : null;
    });
    await overDatabase(everyLifeIsWhole);
  });
});

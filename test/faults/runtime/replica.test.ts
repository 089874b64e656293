import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { type Database, openDatabase } from '../../../store/database.ts';
import { openReadReplica, type ReadReplica } from '../../../store/read-replica.ts';
import { everyLifeIsWhole } from '../../fixtures/actors/whole-lives.ts';
import { type Relay, relay } from '../../fixtures/servers/relay.ts';
import { type PostgresPair, postgresPair } from '../../fixtures/servers/standby.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** A service on a primary whose synchronous standby serves the free lists, and takes the primary's place. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const TERMS = { askUsd: 120, floorUsd: 100 };
const AN_HOUR = '3600';
const LONG = { timeoutMs: 120_000 };

let pair: PostgresPair;
let way: Relay;
let folder: ServiceFolder;
let service: ServiceProcess;
let story: Story;
let [seller, buyer]: PrivateKeyAccount[] = [];
let [selling, buying]: Agent[] = [];
let lots: Lot[];

beforeAll(async () => {
  pair = await postgresPair();
  way = await relay(Number(new URL(pair.primaryUrl).port));
  const address = new URL(pair.primaryUrl);
  address.port = String(way.port);
  folder = await serviceFolder();
  service = await folder.start({
    DATABASE_URL: address.href,
    DATABASE_READ_URL: pair.standbyUrl,
    DATABASE_READ_LAG_SECONDS: AN_HOUR,
  });
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = [await story.proceedingOwner(), await story.proceedingOwner()];
  const mandate = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
  selling = await story.assemble(seller, 'seller-one', mandate);
  buying = await story.assemble(buyer, 'buyer-one', mandate);
  await story.give(buyer, buying.account, 1_000);
  lots = [];
  for (let i = 0; i < 5; i++) lots.push(await story.list(seller, selling, TERMS));
});
afterAll(async () => {
  await folder?.remove();
  await way?.stop();
  await pair?.stop();
});

const listed = async (): Promise<readonly string[]> =>
  (await story.api.get('/catalogue')).body.items.map((item: { listingRef: string }) => item.listingRef);

it('reads the free lists from the replica, and of the primary once the replica lags by more than is allowed', async () => {
  await until('the replica', async () =>
    (await story.api.get('/health')).body.checks.database.reads === 'replica' ? true : null,
  );
  await until('all lots', async () => ((await listed()).length === lots.length ? true : null));
  await pair.ask(pair.standbyUrl, 'select pg_wal_replay_pause()');
  await until('the pause', async () => {
    const state = await pair.ask(pair.standbyUrl, "select where pg_get_wal_replay_pause_state() = 'paused'");
    return state.length > 0 ? true : null;
  });
  const late = await story.list(seller!, selling!, TERMS);
  expect(await listed()).not.toContain(late.listingRef);
  // What is not a list is the primary's: whoever has just listed finds the lot.
  expect((await story.api.get(`/lots/${late.listingRef}`)).status).toBe(200);

  const seen = async ({ db }: ReadReplica): Promise<boolean> =>
    (await db.selectFrom('listings').select('asset_key').where('listing_ref', '=', late.listingRef).execute())
      .length === 1;
  const primary: Database = openDatabase(pair.primaryUrl, { max: 2 });
  const strict = openReadReplica(primary, { url: pair.standbyUrl, maxLagMs: 1, name: 'strict' });
  const patient = openReadReplica(primary, { url: pair.standbyUrl, maxLagMs: 3_600_000, name: 'patient' });
  try {
    expect([strict.age(), await seen(strict)]).toEqual([null, true]);
    // It never was in step with the primary while this process looked: it cannot be told how old it is.
    expect([patient.age(), await seen(patient)]).toEqual([null, true]);
    await pair.ask(pair.standbyUrl, 'select pg_wal_replay_resume()');
    await until('a replica in step', async () => (patient.age() === null ? null : true));
    expect(await seen(patient)).toBe(true);
  } finally {
    await strict.stop();
    await patient.stop();
    await primary.destroy();
  }
  await until('the late lot', async () => ((await listed()).includes(late.listingRef) ? true : null));
});

it('loses nothing that was acknowledged when the primary is gone and its synchronous standby takes its place', async () => {
  const acknowledged: string[] = [];
  const order = async (lot: Lot): Promise<void> => {
    await until(
      'an acknowledged order',
      async () => {
        const answer = await story.order(buyer!, buying!, lot, 110).catch(() => null);
        if (answer?.status === 201) acknowledged.push(answer.body.orderId);
        // Its commit may have been made before the answer was lost.
        return answer?.status === 201 || (await belongsToBuyer(lot)) ? true : null;
      },
      { ...LONG, everyMs: 200 },
    );
  };
  const ordering = (async () => {
    for (const lot of lots) await order(lot);
  })();
  await until('orders', async () => (acknowledged.length >= 2 ? true : null), { everyMs: 2 });
  pair.killPrimary();
  await pair.promote();
  way.move(Number(new URL(pair.standbyUrl).port));
  await ordering;

  await until(
    'every lot sold',
    async () => ((await Promise.all(lots.map(belongsToBuyer))).every((is) => is) ? true : null),
    LONG,
  );
  const db = openDatabase(pair.standbyUrl, { max: 2 });
  try {
    const kept = await db
      .selectFrom('orders')
      .select('order_id')
      .where('order_id', 'in', acknowledged)
      .execute();
    expect(kept).toHaveLength(acknowledged.length);
    await until(
      'every deal recorded',
      async () => {
        const deals = await db.selectFrom('deals').select('state').execute();
        return deals.length === lots.length && deals.every(({ state }) => state === 'recorded') ? true : null;
      },
      LONG,
    );
    expect(await story.chain().settlements()).toBe(lots.length);
    expect(await story.chain().usdcOf(buying!.account)).toBe(1_000_000_000n - 5n * 105_000_000n);
    await everyLifeIsWhole(db);
  } finally {
    await db.destroy();
  }
  // What was the replica is the primary now: it lags behind nobody, and is not taken for a replica.
  await until('reads of the primary', async () =>
    (await story.api.get('/health')).body.checks.database.reads === 'primary' ? true : null,
  );
  expect(await listed()).toHaveLength(1);
  expect(service.errors()).toBe('');
});

async function belongsToBuyer(lot: Lot): Promise<boolean> {
  return (await story.chain().ownerOf(lot)).toLowerCase() === buying!.account.toLowerCase();
}

import { sql } from 'kysely';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { listWorkers } from '../../../store/durable/workers.ts';
import { everyLifeIsWhole } from '../../fixtures/actors/whole-lives.ts';
import { type PoolStage, poolStage } from '../../fixtures/pool-stage.ts';
import { runCommand, type ServiceProcess } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** One API with workers in processes of their own, and faults of the parts on which they all depend. */

const SELLS = 'Sell digital products, max 500 USDC per deal, for 30 days.';
const BUYS = 'Buy digital products, max 500 USDC per deal, for 30 days.';
const LOTS = 6;
const LONG = { timeoutMs: 120_000 };
/** By then every order, listing and mandate here has expired. */
const DAYS_AHEAD = 400;

let stage: PoolStage;
let story: Story;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let selling: Agent;
let buying: Agent;
let lots: Lot[];
let alive: ServiceProcess;
let bought = 0;

beforeAll(async () => {
  stage = await poolStage();
  story = storyOn(stage.folder);
  await story.importLists();
  [seller, buyer] = [await story.proceedingOwner(), await story.proceedingOwner()];
});
afterAll(() => stage?.stop());

/** Orders the next lot at a price that crosses its floor. */
async function buyNext(): Promise<void> {
  const { status, body } = await story.order(buyer, buying, lots[bought++]!, 110);
  expect(status, JSON.stringify(body)).toBe(201);
}

/**
 * Waits until effects of deals are claimed, or until everything is done: on a quick machine they may never be seen
 * claimed.
 */
async function dealsInHand(): Promise<void> {
  await until(
    'an effect of a deal in hand',
    async () => {
      const { rows } = await sql`
        select from effects where status = 'running' and actor_id like 'deal:%'
        union all
        select from records where kind = 'deal-settled' having count(*) >= ${bought}`.execute(stage.db);
      return rows.length > 0 ? true : null;
    },
    { ...LONG, everyMs: 5 },
  );
}

/** Checks that every deal so far is settled and recorded once, and the money is exactly where it belongs. */
async function allSettledOnce(): Promise<void> {
  const records = () =>
    stage.db.selectFrom('records').select('record_id').where('kind', '=', 'deal-settled').execute();
  await until(
    'every deal settled and recorded',
    async () => {
      const over = stage.db.selectFrom('deals').select('reason').where('state', 'in', ['stopped', 'failed']);
      for (const { reason } of await over.execute()) throw new Error(`a deal came to nothing: ${reason}`);
      return (await records()).length >= bought ? true : null;
    },
    LONG,
  );
  const chain = story.chain();
  expect([(await records()).length, await chain.settlements(), await chain.mints()]).toEqual([
    bought,
    bought,
    2,
  ]);
  expect(await chain.usdcOf(selling.account)).toBe(BigInt(bought) * 102_900_000n);
  expect(await chain.usdcOf(buying.account)).toBe(1_000_000_000n - BigInt(bought) * 105_000_000n);
  for (const lot of lots.slice(0, bought))
    expect((await chain.ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
  await until(
    'nothing left to do',
    async () => {
      const open = await stage.db
        .selectFrom('mailbox')
        .select('seq')
        .where('consumed_at', 'is', null)
        .execute();
      return open.length === 0 ? true : null;
    },
    LONG,
  );
  await everyLifeIsWhole(stage.db);
}

describe('an API and its workers', { timeout: 300_000 }, () => {
  it('settle everything exactly once, though one worker is killed, one leaves and the clock of one is wrong', async () => {
    // No worker runs yet, so what is paid for waits.
    const waiting = await story.openCheckout(seller, 'seller-one', SELLS);
    await story.pay(waiting);
    expect(await listWorkers(stage.db)).toEqual([]);
    const doomed = await stage.worker();
    selling = await story.minted(waiting);
    buying = await story.assemble(buyer, 'buyer-one', BUYS);
    await story.give(buyer, buying.account, 1_000);
    lots = [];
    for (let i = 0; i < LOTS; i++)
      lots.push(await story.list(seller, selling, { askUsd: 120, floorUsd: 100 }));

    await Promise.all([buyNext(), buyNext()]);
    await dealsInHand();
    doomed.kill('SIGKILL');
    expect(await doomed.ended).toBe('SIGKILL');
    // Pretends that the time has passed for which a vanished worker is waited for.
    await sql`update effects set lease_until = clock_timestamp() where status = 'running'`.execute(stage.db);

    const [leaving, staying] = await Promise.all([stage.worker(), stage.worker(DAYS_AHEAD)]);
    alive = staying;
    await Promise.all([buyNext(), buyNext()]);
    await dealsInHand();
    leaving.kill('SIGTERM');
    expect(await leaving.ended).toBe(0);
    // On a slow machine it may log between the two lines what it gave back.
    expect(leaving.output()).toMatch(/Stopping …\n(?:\{.*\}\n)*Stopped\.\n$/);
    expect([doomed.errors(), leaving.errors()]).toEqual(['', '']);
    await allSettledOnce();

    // On a quick machine everything is settled before another worker takes over the periodic tasks of the one that
    // left. The row of the killed worker still shows its last report.
    const rows = await until(
      'the rounds kept by the one that stays, which has nothing in hand',
      async () => {
        const all = await listWorkers(stage.db);
        const last = all.at(-1);
        return last?.leader && last.in_hand === 0 ? all : null;
      },
      LONG,
    );
    expect(rows).toHaveLength(2);
    // A worker that reports late is listed as silent for a while.
    await until(
      'a list that shows it',
      async () => {
        const { stdout } = await runCommand(['worker', 'list'], { env: { DATABASE_URL: stage.databaseUrl } });
        return / \d+ {2}serves, 0 effects in hand, the leader\n/.test(stdout) ? true : null;
      },
      LONG,
    );
  });

  it('answer 503 while the database is down and lose nothing by it', async () => {
    await buyNext();
    await dealsInHand();
    await stage.stopDatabase();
    const paths = ['/catalogue', '/matches', `/agent/${buying.handle}`, '/catalogue'];
    const refused = await Promise.all(paths.map((path) => story.api.get(path)));
    expect(refused.map((r) => [r.status, r.body.code, r.headers.get('retry-after')])).toEqual(
      paths.map(() => [503, 'unavailable', '2']),
    );
    expect((await story.api.get('/health')).status).toBe(503);
    await stage.startDatabase();
    for (const path of paths) expect((await story.api.get(path)).status).toBe(200);
    await allSettledOnce();
    // There is a leader again: the advisory lock was released with the connection.
    await until(
      'a leader',
      async () => ((await listWorkers(stage.db)).some((w) => w.leader && w.silent < 10) ? true : null),
      LONG,
    );
    expect([stage.api.errors(), alive.errors()]).toEqual(['', '']);
  });

  it('wait for a chain that is stuck, and settle once when it continues', async () => {
    const chain = stage.folder.processes().find((line) => line.includes('/chain-1002/'));
    const pid = Number(/^\s*(\d+)/.exec(chain ?? '')?.[1]);
    await buyNext();
    process.kill(pid, 'SIGSTOP');
    try {
      await dealsInHand();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect((await story.api.get('/matches')).status).toBe(200);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await allSettledOnce();
    alive.kill('SIGTERM');
    expect(await alive.ended).toBe(0);
  });
});

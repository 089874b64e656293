import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { type PoolStage, poolStage } from '../../fixtures/pool-stage.ts';
import { redisPresent } from '../../fixtures/servers/redis.ts';
import type { ServiceProcess } from '../../fixtures/service.ts';
import { runCommand } from '../../fixtures/service.ts';
import { storyOn } from '../../fixtures/story-stage.ts';

/** API and worker, each as the role that `database roles` makes for it. */

let stage: PoolStage;
let worker: ServiceProcess;

// Without Redis the queue makes tables of its own in the database.
describe.skipIf(!redisPresent)('roles of least right', () => {
  beforeAll(async () => {
    stage = await poolStage({ leastRights: true });
    worker = await stage.worker();
  });
  afterAll(() => stage?.stop());

  it('carry a deal from the mint to its anchor', async () => {
    const { rows } = await sql<{ usename: string }>`
    select distinct usename from pg_stat_activity where usename like 'handshake\\_%' order by 1`.execute(
      stage.db,
    );
    expect(rows.map((row) => row.usename)).toEqual(['handshake_api', 'handshake_worker']);
    const story = storyOn(stage.folder);
    await story.importLists();
    const [seller, buyer] = [await story.proceedingOwner(), await story.proceedingOwner()];
    const selling = await story.assemble(
      seller,
      'seller-one',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    const buying = await story.assemble(
      buyer,
      'buyer-one',
      'Buy digital products, max 500 USDC per deal, for 30 days.',
    );
    await story.give(buyer, buying.account, 1_000);
    const lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
    expect((await story.order(buyer, buying, lot, 110)).status).toBe(201);
    await story.recorded(buying, 'deal-settled');
    const refused = await sql`
    select from effects where error like '%permission denied%'
    union all select from mailbox where fault like '%permission denied%'
    union all select from quarantine where reason like '%permission denied%'`.execute(stage.db);
    expect(refused.rows).toEqual([]);
    for (const process of [stage.api, worker]) expect(process.output()).not.toMatch(/permission denied/);
  });

  it('leave what an operator does to keys, records and roles by command in the operators’ log', async () => {
    const env = { ...stage.folder.env, DATABASE_URL: stage.databaseUrl };
    const record = await until(
      'a record',
      async () =>
        (await stage.db.selectFrom('records').select('record_id').limit(1).executeTakeFirst()) ?? null,
    );
    const reason = 'The list of that day named the address by mistake.';
    const commands = [
      ['keys', 'rotate-seed'],
      ['keys', 'drop-seed', '0'],
      ['record', 'retract', record.record_id, '--reason', reason],
      ['database', 'roles', '--apply'],
    ];
    for (const command of commands) await runCommand(command, { env });
    const { rows } = await sql<{ act: string; subject: string | null }>`
    select body::jsonb ->> 'act' as act, body::jsonb ->> 'subject' as subject from operator_log
    where body::jsonb -> 'by' ->> 'kind' = 'command' order by seq desc limit 4`.execute(stage.db);
    expect(rows.reverse()).toEqual([
      { act: 'keys rotate-seed', subject: '1' },
      { act: 'keys drop-seed', subject: '0' },
      { act: 'record retract', subject: record.record_id },
      { act: 'database roles', subject: null },
    ]);
  });
});

import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toAppError } from '../../../api/http/errors.ts';
import { applyEvent } from '../../../runtime/durable/actors/apply-event.ts';
import type { DurableMachine } from '../../../runtime/durable/actors/durable-machine.ts';
import { batchedMailboxes, type MailboxBatches } from '../../../runtime/durable/actors/mailbox-batches.ts';
import { openDatabase, waitForLocks } from '../../../store/database.ts';
import { lockLot } from '../../../store/market/lots.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

const LOCK_NOT_AVAILABLE = '55P03';

let stage: Stage;
let hung: pg.Client;
beforeEach(async () => {
  stage = await courierStage();
  hung = new pg.Client({ connectionString: stage.url });
  await hung.connect();
});
afterEach(async () => {
  await hung.end();
  await stage.drop();
});

/** What a worker leaves that was stopped between its statements and its commit. */
async function hangWith(...ids: readonly string[]): Promise<void> {
  await hung.query('begin');
  await hung.query('update actors set revision = revision + 1 where id = any($1)', [ids]);
}

const carry = (parcel: string) => ({ type: 'CARRY', parcel });
const sendTo = (mailboxes: MailboxBatches, actorId: string) =>
  mailboxes.send({ actorId, eventId: 'e1', event: carry('p1') });

describe('a worker that stands still while it holds actors', () => {
  it('keeps no other actor from being served', async () => {
    const held = [await stage.spawn('a'), await stage.spawn('b')];
    const free = await stage.spawn('c');
    await hangWith(...held);
    const mailboxes = batchedMailboxes(stage.deps, { limits: { parallel: 2, most: 1 } });
    const waiting = held.map((id) => sendTo(mailboxes, id));
    expect((await sendTo(mailboxes, free)).outcome).toMatchObject({ kind: 'served' });
    // What came for those that it holds is mail, once, and served when they are free.
    expect(await Promise.all(waiting)).toEqual(
      held.map(() => ({ fresh: true, outcome: { kind: 'idle', effects: [] } })),
    );
    expect(await stage.mail(held[0]!)).toMatchObject([{ eventId: 'e1', served: false }]);
    await hung.query('rollback');
    expect(await sendTo(mailboxes, held[0]!)).toMatchObject({ fresh: false, outcome: { kind: 'served' } });
    await stage.settle(held[1]!);
    for (const id of held) {
      expect((await stage.actor(id)).context.carried).toEqual(['p1']);
      expect(await stage.effects(id)).toHaveLength(1);
    }
  });

  it('keeps no other actor from being served by what its own actors are shown by', async () => {
    const { db } = stage;
    await sql`create table shown (id text primary key)`.execute(db);
    const [blocked, free] = [await stage.spawn('a'), await stage.spawn('b')];
    await hung.query('begin');
    await hung.query('insert into shown values ($1)', [blocked]);
    const machine: DurableMachine = {
      ...courier,
      shows: () => null,
      project: async (trx, { id }) => void (await sql`insert into shown values (${id})`.execute(trx)),
    };
    const deps = { ...stage.deps, machines: new Map([[machine.kind, machine]]) };
    const mailboxes = batchedMailboxes(deps, { limits: { parallel: 1, most: 1 } });
    const waiting = sendTo(mailboxes, blocked).catch((error: unknown) => error);
    expect((await sendTo(mailboxes, free)).outcome).toMatchObject({ kind: 'served' });
    expect(await waiting).toMatchObject({ code: LOCK_NOT_AVAILABLE });
    await hung.query('rollback');
    await batchedMailboxes(deps).take(blocked);
    expect((await stage.actor(blocked)).context.carried).toEqual(['p1']);
  });

  it('delays what is to hold at once until it is gone, and no longer', async () => {
    const id = await stage.spawn('a');
    await hangWith(id);
    const given = { key: 'a', eventId: 'e1', event: carry('p1'), now: stage.clock.now() };
    const applied = stage.db.transaction().execute((trx) => applyEvent(trx, courier, given));
    const waits = async (): Promise<boolean> => {
      const { rows } = await hung.query("select from pg_stat_activity where wait_event_type = 'Lock'");
      return rows.length > 0;
    };
    while (!(await waits())) await new Promise(setImmediate);
    await hung.query('commit');
    expect(await applied).toBe(true);
    expect((await stage.actor(id)).context.carried).toEqual(['p1']);
  });
});

describe('a process that stands still with a lot', () => {
  it('leaves the connections of others to those who want something else', async () => {
    const api = openDatabase(stage.url, { max: 2 });
    try {
      await hung.query('begin');
      await hung.query(
        `insert into lots (asset_key, category, chain, price_to_beat, open, updated_at)
         values ('lot-1', 'rwa', 'eip155:1002', 1, true, now())`,
      );
      await hung.query('commit; begin');
      await hung.query("select from lots where asset_key = 'lot-1' for update");
      const wants = () => api.transaction().execute((trx) => lockLot(trx, 'lot-1'));
      const waiting = [wants(), wants()].map((one) => one.catch((error: unknown) => error));
      await expect(sql`select 1`.execute(api)).resolves.toBeDefined();
      for (const error of await Promise.all(waiting)) {
        expect(error).toMatchObject({ code: LOCK_NOT_AVAILABLE });
        expect(toAppError(error)).toMatchObject({ code: 'unavailable', status: 503 });
      }
    } finally {
      await api.destroy();
    }
  });

  it('is waited for as long as it takes by whoever asks for that', async () => {
    const { rows } = await stage.db.transaction().execute(async (trx) => {
      await waitForLocks(trx, null);
      return await sql<{ lock_timeout: string }>`show lock_timeout`.execute(trx);
    });
    expect(rows).toEqual([{ lock_timeout: '0' }]);
  });
});

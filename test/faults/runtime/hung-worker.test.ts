import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyEvent } from '../../../runtime/durable/actors/apply-event.ts';
import { batchedMailboxes, type MailboxBatches } from '../../../runtime/durable/actors/mailbox-batches.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

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

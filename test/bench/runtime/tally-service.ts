import { deliver } from '../../../runtime/durable/actors/mailbox.ts';
import { openWakeQueue } from '../../../runtime/durable/queue/bullmq.ts';
import { startWorker } from '../../../runtime/durable/workers/worker.ts';
import { type Database, openDatabase } from '../../../store/database.ts';
import { tally } from './tally-machine.ts';

export interface TallyService {
  readonly db: Database;
  /** Sends an event by itself. @returns once the effect that it asks for has begun */
  send(actorId: string, id: string): Promise<void>;
  /** Delivers it in a transaction, as the acts of the service do, and rings. */
  deliver(actorId: string, id: string): Promise<void>;
  stop(): Promise<void>;
}

/** The bell and a worker as the composition root builds them, with the tally as their only machine. */
export async function tallyService(
  databaseUrl: string,
  options: { effectMs?: number; parallel?: number; direct?: boolean } = {},
): Promise<TallyService> {
  const { effectMs = 0, parallel = 64, direct } = options;
  const db = openDatabase(databaseUrl, { max: 24 });
  const log = { warn: (fields: unknown, message?: string) => console.error(message, fields) };
  const notifier = await openWakeQueue({
    databaseUrl,
    redisUrl: null,
    log,
    ...(direct === undefined ? {} : { direct }),
  });
  const begun = new Map<string, () => void>();
  const worker = await startWorker({
    db,
    notifier,
    log,
    machines: new Map([[tally.kind, tally]]),
    runners: new Map([
      [
        'tell',
        {
          kind: 'tell',
          lane: 'default',
          maxAttempts: 3,
          async run({ params }) {
            begun.get(String(params.id))?.();
            if (effectMs > 0) await new Promise((resolve) => setTimeout(resolve, effectMs));
            return {};
          },
        },
      ],
    ]),
    now: () => new Date(),
    crash: () => {},
    concurrency: { mailboxes: 64, default: parallel },
  });
  const until = async (id: string, start: () => Promise<unknown>): Promise<void> => {
    const effect = new Promise<void>((resolve) => begun.set(id, resolve));
    await start();
    await effect;
    begun.delete(id);
  };
  return {
    db,
    send: (actorId, id) => until(id, () => worker.send({ actorId, eventId: id, event: { type: 'ADD', id } })),
    deliver: (actorId, id) =>
      until(id, async () => {
        const event = { type: 'ADD', id };
        await db
          .transaction()
          .execute((trx) => deliver(trx, { actorId, eventId: id, event, now: new Date() }));
        notifier.actor(actorId);
      }),
    async stop() {
      await worker.stop();
      await notifier.close();
      await db.destroy();
    },
  };
}

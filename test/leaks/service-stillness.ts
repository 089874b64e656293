import { sql } from 'kysely';
import { until } from '../../runtime/cli/demo/client.ts';
import type { Database } from '../../store/database.ts';
import type { Listening } from '../fixtures/servers/event-stream.ts';

/** A long limit, because the machine may be busy. */
export const PATIENCE = { timeoutMs: 300_000 };

/** Waits until a service has finished everything that it does by itself. */
export function stillness(
  db: Database,
  stream: Listening,
): { quiet(): Promise<void>; heard(): Promise<void> } {
  /** Waits until everything that was written so far has come over the stream. */
  const heard = async (): Promise<void> => {
    await until(
      'the stream to have told all',
      async () => {
        const { rows } = await sql<{ waiting: number; last: string }>`
        select (select count(*) from event_outbox)::int as waiting, (select last from event_counter)::text as last`.execute(
          db,
        );
        const { waiting, last } = rows[0]!;
        return waiting === 0 && (stream.lastId() === '' ? '0' : stream.lastId()) === last ? true : null;
      },
      PATIENCE,
    );
  };
  return {
    heard,
    /**
     * Waits until nothing is in progress: deals, effects, messages, records and listings for the chain, streams and
     * webhooks.
     */
    async quiet() {
      await until(
        'everything to come to rest',
        async () => {
          const { rows } = await sql<{ open: number }>`
        select (select count(*) from deals where state not in ('recorded', 'stopped', 'failed'))::int
          + (select count(*) from effects where status in ('pending', 'running') and actor_id is not null)::int
          + (select count(*) from mailbox where consumed_at is null and dead_lettered_at is null)::int
          + (select count(*) from records r left join batches b using (batch_id) where b.status is distinct from 'anchored')::int
          + (select count(*) from chain_listings where over_at <= now())::int
          + (select count(*) from owner_notifications)::int
          + (select count(*) from webhook_deliveries where status = 'pending')::int
          as open`.execute(db);
          return rows[0]!.open === 0 ? true : null;
        },
        PATIENCE,
      );
      await heard();
    },
  };
}

import type { Trx } from '../../store/database.ts';
import { endAct, openAct } from '../../store/owner-acts.ts';

const STATUS = {
  active: 'active',
  paused: 'paused',
  // Whose it was, it serves no more; whose it is has signed nothing.
  transferred: 'paused',
  suspended: 'suspended',
  retiring: 'retired',
  retired: 'retired',
} as const;

/** What stops an agent: delivered, it counts at once, though its actor has not had its turn. */
const STOPS = ['PAUSE', 'TRANSFERRED', 'SUSPEND', 'RETIRE', 'MANDATE_END'];

interface AgentState {
  readonly value: unknown;
  readonly context: { readonly holds: readonly string[] };
}

/**
 * Shows the agent actor's state as the status of the directory. Whoever stops an agent shows that at once, with the
 * event by which its actor will learn of it; a turn that was taken meanwhile does not show it as active again. What its
 * owner signed and an actor that has ended will not have relayed any more is over, and says so.
 */
export async function projectAgent(
  trx: Trx,
  { id, handle }: { id: string; handle: string },
  { value, context }: AgentState,
  now: Date,
): Promise<void> {
  const top = typeof value === 'string' ? value : Object.keys(value as object)[0];
  const status = STATUS[top as keyof typeof STATUS];
  if (status === undefined) throw new Error(`the agent machine has no status for its state "${String(top)}"`);
  if (top === 'retired') await endUnsent(trx, handle, now);
  const shown = await shownNow(trx, handle);
  if (!shown || (shown.status === status && String(shown.holds) === String(context.holds))) return;
  if (status === 'active') {
    // Once the row is locked, nobody can stop it unseen.
    await trx.selectFrom('agents').select('handle').where('handle', '=', handle).forNoKeyUpdate().execute();
    if (await isStopping(trx, id)) return;
  }
  await trx
    .updateTable('agents')
    .set({ status, holds: [...context.holds] })
    .where('handle', '=', handle)
    .execute();
}

async function endUnsent(trx: Trx, handle: string, now: Date): Promise<void> {
  const act = await openAct(trx, handle);
  if (act?.status !== 'signed') return;
  const key = `owner-act:${act.id}`;
  const sent = await trx.selectFrom('effects').select('key').where('key', '=', key).executeTakeFirst();
  const reason = 'the agent is retired and its keys have ended: nothing is left to be sent';
  if (!sent) await endAct(trx, act.id, { status: 'failed', reason, tx: null, now });
}

async function shownNow(trx: Trx, handle: string) {
  return await trx
    .selectFrom('agents')
    .select(['status', 'holds'])
    .where('handle', '=', handle)
    .executeTakeFirst();
}

async function isStopping(trx: Trx, actorId: string): Promise<boolean> {
  const waiting = await trx
    .selectFrom('mailbox')
    .select('event')
    .where('actor_id', '=', actorId)
    .where('consumed_at', 'is', null)
    .where('parked_at', 'is', null)
    .execute();
  return waiting.some(({ event }) => STOPS.includes(event.type));
}

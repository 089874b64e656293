import { endAct, openAct } from '../../store/agent/owner-acts.ts';
import type { Trx } from '../../store/database.ts';

const STATUS = {
  active: 'active',
  paused: 'paused',
  // The old owner's mandate no longer counts, and the new owner has not signed one yet.
  transferred: 'paused',
  suspended: 'suspended',
  retiring: 'retired',
  retired: 'retired',
} as const;

/** The events that stop an agent. The directory shows them as soon as they are delivered, before the actor serves them. */
const STOPS = ['PAUSE', 'TRANSFERRED', 'SUSPEND', 'RETIRE', 'MANDATE_END'];

interface AgentState {
  readonly value: unknown;
  readonly context: { readonly suspensionReasons: readonly string[] };
}

/**
 * Writes the agent actor's state as the status of the directory. Whoever stops an agent writes that at once, together
 * with the event for its actor, and a batch that is saved meanwhile does not show the agent as active again. When the
 * actor has ended, it relays nothing more: what its owner signed and nobody sent is marked as over.
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
  if (
    !shown ||
    (shown.status === status && String(shown.suspension_reasons) === String(context.suspensionReasons))
  )
    return;
  if (status === 'active') {
    // Read after the row is locked, so that no stop is missed.
    await trx.selectFrom('agents').select('handle').where('handle', '=', handle).forNoKeyUpdate().execute();
    if (await isStopping(trx, id)) return;
  }
  await trx
    .updateTable('agents')
    .set({ status, suspension_reasons: [...context.suspensionReasons] })
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
    .select(['status', 'suspension_reasons'])
    .where('handle', '=', handle)
    .executeTakeFirst();
}

async function isStopping(trx: Trx, actorId: string): Promise<boolean> {
  const waiting = await trx
    .selectFrom('mailbox')
    .select('event')
    .where('actor_id', '=', actorId)
    .where('consumed_at', 'is', null)
    .where('dead_lettered_at', 'is', null)
    .execute();
  return waiting.some(({ event }) => STOPS.includes(event.type));
}

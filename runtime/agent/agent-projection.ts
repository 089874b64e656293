import { dropMandate } from '../../store/agent/mandates.ts';
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

interface AgentState {
  readonly value: unknown;
  readonly context: { readonly suspensionReasons: readonly string[] };
}

function topOf(value: unknown): string {
  return String(typeof value === 'string' ? value : Object.keys(value as object)[0]);
}

/** What {@link projectAgent} writes of an agent's state; null for one that ends, whose acts are over whenever they come. */
export function shownOfAgent({ value, context }: AgentState): string | null {
  const top = topOf(value);
  return STATUS[top as keyof typeof STATUS] === 'retired'
    ? null
    : JSON.stringify([top, context.suspensionReasons]);
}

/**
 * Writes the agent actor's state as the status of the directory; nothing else writes it. An actor that retires relays
 * only the end of its keys, and one that has ended relays nothing: what else its owner signed and nobody sent is marked
 * as over, since no later act could be signed while it waits.
 */
export async function projectAgent(
  trx: Trx,
  handle: string,
  { value, context }: AgentState,
  now: Date,
): Promise<void> {
  const top = topOf(value);
  const status = STATUS[top as keyof typeof STATUS];
  if (status === undefined) throw new Error(`the agent machine has no status for its state "${top}"`);
  const shown = await shownNow(trx, handle);
  const { suspensionReasons: reasons } = context;
  if (shown && (shown.status !== status || String(shown.suspension_reasons) !== String(reasons)))
    await trx
      .updateTable('agents')
      .set({ status, suspension_reasons: [...reasons] })
      .where('handle', '=', handle)
      .execute();
  if (status === 'retired') await endUnsent(trx, handle, top === 'retired', now);
}

async function endUnsent(trx: Trx, handle: string, hasEnded: boolean, now: Date): Promise<void> {
  const act = await openAct(trx, handle);
  if (act?.status !== 'signed' || (act.kind === 'retire' && !hasEnded)) return;
  const key = `owner-act:${act.id}`;
  const sent = await trx.selectFrom('effects').select('key').where('key', '=', key).executeTakeFirst();
  if (sent) return;
  const reason = hasEnded
    ? 'the agent is retired and its keys have ended: nothing is left to be sent'
    : 'the agent is retired: only what ends its keys is sent';
  if (act.version !== null) await dropMandate(trx, handle, act.version);
  await endAct(trx, act.id, { status: 'failed', reason, tx: null, now });
}

async function shownNow(trx: Trx, handle: string) {
  return await trx
    .selectFrom('agents')
    .select(['status', 'suspension_reasons'])
    .where('handle', '=', handle)
    .executeTakeFirst();
}

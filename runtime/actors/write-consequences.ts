import { cancelTimer, insertEffect, setTimer } from '../../store/actors.ts';
import type { Trx } from '../../store/database.ts';
import type { Consequence } from './actions.ts';

/**
 * Writes what a transition asked for, in order. An effect without a key of its own gets one that names this very
 * transition, so that the same turn can never ask for it twice. @returns the keys of the effects
 */
export async function writeConsequences(
  trx: Trx,
  actorId: string,
  turnKey: string,
  list: readonly Consequence[],
  now: Date,
): Promise<string[]> {
  const keys: string[] = [];
  for (const [index, item] of list.entries()) {
    if (item.kind === 'timer') {
      const dueAt = new Date(now.getTime() + item.delayMs);
      await setTimer(trx, { actorId, timerId: item.id, dueAt, event: item.event });
    } else if (item.kind === 'cancel') {
      await cancelTimer(trx, actorId, item.id);
    } else {
      const key = item.key ?? `${turnKey}:${index}`;
      await insertEffect(trx, { key, actorId, kind: item.name, params: item.params, now });
      keys.push(key);
    }
  }
  return keys;
}

import type { Trx } from '../../store/database.ts';

/** Shows the agent actor's state as the status of the directory. `suspended` is the operator's and stays. */
export async function projectAgent(trx: Trx, handle: string, state: unknown): Promise<void> {
  const top = typeof state === 'string' ? state : Object.keys(state as object)[0];
  const status = ({ active: 'active', paused: 'paused', retired: 'retired' } as const)[top as 'active'];
  if (status === undefined) throw new Error(`the agent machine has no status for its state "${String(top)}"`);
  await trx
    .updateTable('agents')
    .set({ status })
    .where('handle', '=', handle)
    .where('status', 'not in', [status, 'suspended'])
    .execute();
}

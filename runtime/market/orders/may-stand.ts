import { Refusal } from '../../../agents/errors.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import type { Trx } from '../../../store/database.ts';
import type { SpendingLook } from '../../agent/public.ts';
import { judgeOrder } from './judge-order.ts';

const FORBIDS: ReadonlySet<string> = new Set(['mandate-exceeded', 'agent-not-active']);

/** Whether an agent's mandate and caps allow an order that was placed before. @throws as {@link judgeOrder} otherwise */
export async function mayStand(
  trx: Trx,
  agent: AgentRow,
  order: Parameters<typeof judgeOrder>[2],
  look: SpendingLook,
  standing = false,
): Promise<boolean> {
  try {
    await judgeOrder(trx, agent, order, look, standing);
    return true;
  } catch (error) {
    if (error instanceof Refusal && FORBIDS.has(error.code)) return false;
    throw error;
  }
}

import { Refusal } from '../../../agents/errors.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { listAgents } from '../../../store/agent/agents.ts';
import type { LastCall, Services } from '../../services.ts';
import { readLive, requireAgent } from '../live-agent.ts';
import { sessionAct } from './session-act.ts';

/** What became of one agent. */
export interface PauseOutcome {
  readonly handle: string;
  /** Why it was not paused; null when it was. */
  readonly reason: string | null;
}

/** So many at a time: each reads the chain and writes. */
const AT_ONCE = 25;
/** Half of what a request may take. Who is told that it took too long is not told who was paused. */
const WITHIN_MS = 15_000;

/**
 * Pauses every active agent of a wallet, the newest first. Each is paused by itself, and what hinders one hinders no other.
 * @returns all of them: who has more agents than are paused in time is told which are left
 */
export async function pauseAll(
  services: Services,
  wallet: string,
  lastCall: LastCall,
): Promise<readonly PauseOutcome[]> {
  const until = services.now().getTime() + WITHIN_MS;
  const outcomes: PauseOutcome[] = [];
  let after: string | undefined;
  do {
    const mine = await listAgents(services.db, {
      ...{ owner: wallet, status: 'active', limit: AT_ONCE, offset: 0 },
      ...(after === undefined ? {} : { after }),
    });
    const isLate = services.now().getTime() >= until;
    const paused = mine.map(async ({ handle }) => ({
      handle,
      reason: isLate ? LEFT : await pause(services, wallet, handle, lastCall),
    }));
    outcomes.push(...(await Promise.all(paused)));
    after = mine.length < AT_ONCE ? undefined : mine.at(-1)?.handle;
  } while (after !== undefined);
  return outcomes;
}

const LEFT = 'there was no time left for it: sign once more, and those that are left are paused';

/** @returns why it was not paused; null when it was */
async function pause(
  services: Services,
  wallet: string,
  handle: string,
  lastCall: LastCall,
): Promise<string | null> {
  try {
    const live = await readLive(services, await requireAgent(services, handle));
    if (!sameAddress(live.chain.owner, wallet as `0x${string}`)) return 'it has another owner by now';
    await sessionAct(services, live, 'pause', lastCall);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

import type { Trx } from '../../store/database.ts';
import type { Match } from '../../store/market/matches.ts';
import { spawnActor } from '../durable/actors/spawn.ts';
import type { Lane } from '../durable/jobs/effect.ts';
import { dealActor } from '../machines.ts';
import type { Services } from '../services.ts';

/** Starts the deal actor of a match and tells both agents, in the transaction that made the match. */
export async function startDeal(services: Services, trx: Trx, match: Match, now: Date): Promise<void> {
  const { approvalSeconds, decisionSeconds } = services.config;
  const told = [match.seller, match.buyer].map((handle) => ({
    actorId: `agent:${handle}`,
    eventId: `matched:${match.dealId}`,
    event: { type: 'MATCHED', dealId: match.dealId },
  }));
  await spawnActor(trx, dealActor, {
    key: match.dealId,
    input: {
      dealId: match.dealId,
      decisionMs: decisionSeconds * 1000,
      // Never longer than who has more to decide: the shorter one ends the wait.
      approvalMs: Math.min(approvalSeconds, decisionSeconds) * 1000,
    },
    now,
    told,
  });
}

/** Where a deal is determined, which is all that it asks for at its birth. */
export const DETERMINING: Lane = 'determination';

/** Wakes who determines a deal that was started: its actor has no mail yet. Call it after the commit. */
export function wakeStartedDeal({ notifier }: Pick<Services, 'notifier'>): void {
  notifier.jobs(DETERMINING);
}

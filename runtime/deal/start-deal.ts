import type { Trx } from '../../store/database.ts';
import type { Match } from '../../store/market/matches.ts';
import { deliverAll } from '../durable/actors/mailbox.ts';
import { spawnActor } from '../durable/actors/spawn.ts';
import { dealActor } from '../machines.ts';
import type { Services } from '../services.ts';

/** Starts the deal actor of a match and tells both agents, in the transaction that made the match. */
export async function startDeal(services: Services, trx: Trx, match: Match, now: Date): Promise<void> {
  await spawnActor(trx, dealActor, {
    key: match.dealId,
    input: { dealId: match.dealId, decisionMs: services.config.decisionSeconds * 1000 },
    now,
  });
  const told = [match.seller, match.buyer].map((handle) => ({
    actorId: `agent:${handle}`,
    eventId: `matched:${match.dealId}`,
    event: { type: 'MATCHED', dealId: match.dealId },
  }));
  await deliverAll(trx, told, now);
}

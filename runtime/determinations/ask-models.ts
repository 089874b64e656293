import type { DeterminationEvidence } from '../../agents/determinations/panel/types.ts';
import { type EvidenceDeps, msSince } from './deps.ts';

/**
 * Asks the language model of each seat that has one about what that seat read, all at the same time, and adds the
 * answers to the evidence. Evidence without such seats is returned unchanged.
 */
export async function askModels<Common, Facts>(
  deps: EvidenceDeps,
  evidence: DeterminationEvidence<Common, Facts>,
): Promise<DeterminationEvidence<Common, Facts>> {
  const { reasoners = [] } = deps;
  const seated = evidence.seats.filter((s) => s.method === 'llm');
  if (seated.length === 0) return evidence;
  const { id: determination, at, common, blocks } = evidence;
  const started = (deps.clock ?? deps.now)();
  const seats = await Promise.all(
    evidence.seats.map(async (seat) => {
      const reasoner = reasoners[seated.indexOf(seat)];
      if (reasoner === undefined || seat.facts === null) return seat;
      const heard = await reasoner.askModels({ determination, at, common, facts: seat.facts, blocks });
      return { ...seat, heard };
    }),
  );
  const latencyMs = evidence.latencyMs + msSince(deps, started);
  return { ...evidence, models: seated.length, seats, latencyMs };
}

import { judge } from '../../agents/determinations/panel/judge.ts';
import type { DeterminationEvidence, Heard } from '../../agents/determinations/panel/types.ts';
import { type EvidenceDeps, msSince } from './deps.ts';
import type { ModelAnswers, Reasoner } from './models/reasoner.ts';
import { takeSeatAsk } from './models/seat-budget.ts';

/**
 * Asks the language model of each seat that has one about what that seat read, all at the same time, and adds the
 * answers to the evidence. Where the panel is FLAGGED whatever they say, and past the budgets of the day, none is asked,
 * and its seat says why. Evidence without such seats is returned unchanged.
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
  const withHeard = async (
    answerOf: (reasoner: Reasoner, facts: Facts) => Heard | Promise<Heard>,
  ): Promise<DeterminationEvidence<Common, Facts>> => {
    const seats = await Promise.all(
      evidence.seats.map(async (seat) => {
        const reasoner = reasoners[seated.indexOf(seat)];
        if (reasoner === undefined || seat.facts === null) return seat;
        return { ...seat, heard: await answerOf(reasoner, seat.facts) };
      }),
    );
    return { ...evidence, models: seated.length, seats };
  };
  const unasked = await withHeard(({ by }) =>
    silent(by, 'the panel is FLAGGED without it, and it was not asked'),
  );
  const approved = await withHeard(({ by }) => ({ by, vote: 'CLEAN', reasons: [], silence: null }));
  if ([approved, unasked].every((e) => judge(e).verdict === 'FLAGGED')) return unasked;
  const asked = await withHeard((reasoner, facts) =>
    askWithinBudget(deps, reasoner, { determination, at, common, facts, blocks }),
  );
  return { ...asked, latencyMs: evidence.latencyMs + msSince(deps, started) };
}

async function askWithinBudget(
  { db, seatBudget, spender, clock, now }: EvidenceDeps,
  reasoner: Reasoner,
  question: ModelAnswers,
): Promise<Heard> {
  const refused =
    seatBudget === undefined
      ? null
      : await takeSeatAsk(db, seatBudget, { spender: spender ?? null, now: (clock ?? now)() });
  return refused === null ? await reasoner.askModels(question) : silent(reasoner.by, refused);
}

const silent = (by: string, silence: string): Heard => ({ by, vote: null, reasons: [], silence });

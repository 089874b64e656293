import type { Database } from '../../../store/database.ts';
import { takeModelAsk } from '../../../store/determinations/model-asks.ts';
import { behindOnce } from '../../../store/read-once.ts';

/** How often a day (UTC) the models on panels may be asked. */
export interface SeatBudget {
  readonly perPayerDay: number;
  readonly perAgentDay: number;
  readonly perDay: number;
}

/** For whom a determination is made: who pays or appeals, by wallet, or an agent for its own deal, by handle. */
export interface Spender {
  readonly kind: 'payer' | 'agent';
  readonly name: string;
}

/**
 * Takes one question to a model out of the budgets of the day.
 * @returns null when it may be asked, or why not. Budgets that cannot be read are spent
 */
export async function takeSeatAsk(
  db: Database,
  budget: SeatBudget,
  { spender, now }: { readonly spender: Spender | null; readonly now: Date },
): Promise<string | null> {
  const own = spender?.kind === 'agent' ? budget.perAgentDay : budget.perPayerDay;
  const spenders = [
    ...(spender === null
      ? []
      : [{ name: `seats/${spender.kind}:${spender.name.toLowerCase()}`, perDay: own }]),
    { name: 'seats/all', perDay: budget.perDay },
  ];
  try {
    // What a deal reads is read once, and takes nothing.
    return (await takeModelAsk(behindOnce(db) ?? db, spenders, now))
      ? null
      : 'the budget of models for this day is spent, and it was not asked';
  } catch {
    return 'the budget of models could not be read, and it was not asked';
  }
}

import type { Category } from '../../categories.ts';
import type { Outcome, Verdict } from '../../determinations/panel/types.ts';
import type { Micro } from '../../money.ts';

/** A deal as the agent would sign it. `at` is the moment it would be signed, ISO 8601. */
export interface MandateProposal {
  readonly side: 'buy' | 'sell';
  readonly category: Category;
  readonly priceMicro: Micro;
  /** EVM address, Solana address or name of the other side. */
  readonly counterparty?: string;
  readonly chainId?: number;
  readonly at: string;
}

/** Money per window, micro-dollars; null when it could not be read. */
export interface Windows {
  readonly day: Micro | null;
  readonly week: Micro | null;
  readonly month: Micro | null;
  readonly total: Micro | null;
}

/** The live facts a judgement needs. null: unreadable, which makes every check that rests on it INCONCLUSIVE. */
export interface MandateFacts {
  /** What the chain would still let the account spend (`SpendPolicy.remaining`); asked for purchases. */
  readonly remaining: (Windows & { readonly spendable: Micro | null }) | null;
  /** What the agent has sold in each window; asked for sales, which the chain does not count. */
  readonly sold: Windows | null;
  /** Held by this agent's other deals on the same side that have not settled yet. */
  readonly reservedMicro: Micro | null;
  /** Deals made or in flight, this one not counted; a day is the last 24 hours. */
  readonly deals: { readonly day: number | null; readonly total: number | null } | null;
  readonly marketMedianMicro: Micro | null;
  readonly faceValueMicro: Micro | null;
  /** Verdicts by the names of `require_clean`; one that is missing was not determined. */
  readonly verdicts: Readonly<Partial<Record<string, Verdict>>>;
  /** What names on the counterparty lists resolve to, lower case; one that is missing could not be resolved. */
  readonly names: Readonly<Partial<Record<string, string>>>;
}

export interface MandateCheck {
  readonly id: `mandate-${string}`;
  readonly outcome: Outcome;
  /** One sentence that says what was compared. */
  readonly detail: string;
  /** The limit as the mandate states it. */
  readonly limit?: string;
}

export interface MandateJudgement {
  readonly checks: readonly MandateCheck[];
  /** True when the mandate is kept but the price is above what the owner wants to be asked about. */
  readonly needsApproval: boolean;
}

/** A check from whether it passes: null is INCONCLUSIVE. */
export function check(id: string, passes: boolean | null, detail: string, limit?: string): MandateCheck {
  const outcome = passes === null ? 'INCONCLUSIVE' : passes ? 'PASS' : 'FLAG';
  return { id: `mandate-${id}`, outcome, detail, ...(limit === undefined ? {} : { limit }) };
}

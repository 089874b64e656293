/** Why the policy on chain refuses what an agent would pay for an answer, by its error; and what helps. */
const WORDS: Readonly<Record<string, string>> = {
  CategoryNotAllowed:
    'the mandate names categories, and an answer is in none: it pays only those whom it names as allowed. A mandate for anything ("Buy anything, …") pays for answers',
  CounterpartyNotAllowed: 'the mandate does not let it deal with the seller',
  SideNotAllowed: 'the mandate lets it sell, and not buy',
  TokenNotAllowed: 'the mandate has no cap in the currency that the seller takes',
  PerDealCapExceeded: "it is above the mandate's cap per deal",
  DayCapExceeded: "it is more than is left of the mandate's cap of a day: wait, or sign a higher one",
  WeekCapExceeded: "it is more than is left of the mandate's cap of a week: wait, or sign a higher one",
  MonthCapExceeded: "it is more than is left of the mandate's cap of a month: wait, or sign a higher one",
  TotalCapExceeded: "it is more than is left of the mandate's total: sign a new mandate",
  MandateNotActive: 'the mandate has not begun yet, or has expired: sign a new one',
  AgentPaused: 'the agent is paused: its owner resumes it',
  KeyNotLive: "the agent's session key has expired or was revoked: its owner grants a new one",
};

/** @param error what the contract reverted with, in full, behind the words */
export function refusedPayment(errorName: string | undefined, error: string): string {
  const why = WORDS[errorName ?? ''];
  return `The chain refuses the payment: ${why === undefined ? error : `${why} (${error})`}.`;
}

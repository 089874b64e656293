import type { Power, Reading, ReadTransaction } from '../reading/reading.ts';

/** What the service is asked about a request. */
export interface Question {
  readonly address: string | null;
  readonly chainId: number | null;
  readonly origin: string;
  readonly transaction?: ReadTransaction;
}

/** Each question costs its price: of a signature that allows more than these, the rest is shown as not checked. */
export const MOST_QUESTIONS = 3;

/** What of a request can be tried out: its transaction, or each power that its signature gives. */
export function trialsOf({ trial, powers }: Reading): Power[] {
  if (trial !== null) return typeof trial === 'string' ? [] : [{ transaction: trial, spender: null }];
  return powers.filter((power) => typeof power !== 'string').slice(0, MOST_QUESTIONS);
}

/** Asks about the one whom it serves, with each transaction that can be tried out; once where none can. */
export function questionsOf(reading: Reading, host: string): Question[] {
  const { subject, chainId } = reading;
  const about = { address: subject, chainId, origin: host };
  const trials = trialsOf(reading);
  return trials.length === 0 ? [about] : trials.map(({ transaction }) => ({ ...about, transaction }));
}

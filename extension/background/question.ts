import type { Reading, ReadTransaction } from '../reading/reading.ts';

/** What the service is asked about a request. */
export interface Question {
  readonly address: string | null;
  readonly chainId: number | null;
  readonly origin: string;
  readonly transaction?: ReadTransaction;
}

/** Asks about the one whom it serves, with its transaction where that can be tried out as it will be sent. */
export function questionOf({ subject, chainId, trial }: Reading, host: string): Question {
  return {
    ...{ address: subject, chainId, origin: host },
    ...(trial === null || typeof trial === 'string' ? {} : { transaction: trial }),
  };
}

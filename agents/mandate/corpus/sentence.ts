import type { Mandate, Refusal } from '../schema.ts';

/** One sentence of a corpus: what it must be read as, or why it must be refused. Read on `REF` unless it says when. */
export interface Sentence {
  readonly text: string;
  readonly ref?: string;
  readonly mandate?: Mandate;
  readonly reason?: Refusal;
}

/** A Tuesday. */
export const REF = '2026-12-01T00:00:00Z';

/** A sentence that reads: `side` buy and `currency` USDC unless stated, `until` an instant or a day. */
export function reads(text: string, until: string, rest: Partial<Mandate>, ref?: string): Sentence {
  const expires_at = until.length === 10 ? `${until}T23:59:59Z` : until;
  return { text, ...(ref ? { ref } : {}), mandate: { side: 'buy', currency: 'USDC', ...rest, expires_at } };
}

export function refused(reason: Refusal, text: string): Sentence {
  return { text, reason };
}

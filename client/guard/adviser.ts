/** The part of a `handshake(…)` that a guard asks. */
export interface Adviser {
  check(
    address: string,
    about: { chainId?: number; signal?: AbortSignal },
  ): Promise<{
    readonly verdict: 'CLEAN' | 'FLAGGED';
    readonly recorded: { readonly filed: boolean; readonly recordId?: unknown };
  }>;
  record(recordId: string): Promise<unknown>;
}

/** Paid determinations on payees. What they cost is bounded by the budget of `service`. */
export interface Opinion {
  readonly service: Adviser;
  /** Payments of at least this many dollars are asked about; every one when left out. */
  readonly overUsd?: number;
  /**
   * What it causes that nobody answers, or answers for no record: `stop` when left out. An answer whose record does not
   * hold is never paid on.
   */
  readonly unanswered?: 'stop' | 'pay';
}

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
  /** What an absent or unverifiable answer causes: `stop` when left out. */
  readonly unanswered?: 'stop' | 'pay';
}

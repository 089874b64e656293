import type { Fact } from './facts.ts';

/** What a clause says, and where it stands. */
export interface Said {
  readonly at: number;
  readonly to: number;
  readonly facts: readonly Fact[];
}

type Kind = Fact['fact'];

/** How far the text was read, and what stands over the names that come next. */
export interface Standing {
  /** The clause read last. */
  readonly last: Said | undefined;
  /** The last clause of the sentence that refuses names. */
  readonly refusal: Said | undefined;
  /** The kinds of names that the sentence refuses, and of those that it allows. */
  readonly refused: ReadonlySet<Kind>;
  readonly allowed: ReadonlySet<Kind>;
  /** True where the sentence permits before it refuses: "buy wine, never on Base". */
  readonly permits: boolean;
}

/** What was booked by so long before the first look may lie deep only after it. */
const BEFORE_MS = 3_600_000;

/** A span of time in which things were booked: from its begin on, and before its end. */
export interface Booked {
  readonly from: Date;
  readonly to: Date;
}

/** Knows by the heads that were seen what has come to lie deep in the chain, whatever it is, by when it was booked. */
export interface BookedDeep {
  /** Tells of a look. What was booked until then lies in this block or below. */
  see(head: bigint, at: Date): void;
  /** @returns when what lies deep now was booked, until that was read; null: nothing more does */
  due(): Booked | null;
  /** Tells that this span was read: what failed meanwhile is due again. */
  read(booked: Booked): void;
}

/** @param depth how many blocks must lie on it */
export function bookedDeep(depth: bigint): BookedDeep {
  let from: Date | null = null;
  let to: Date | null = null;
  /** The heads that are not deep yet, the lowest first, each with when it was seen last. */
  let heads: { readonly head: bigint; readonly at: Date }[] = [];
  return {
    see(head, at) {
      from ??= new Date(at.getTime() - BEFORE_MS);
      to = heads.findLast((one) => one.head + depth <= head)?.at ?? to;
      // What a shorter branch or a node that is behind does not have is seen anew.
      heads = heads.filter((one) => one.head + depth > head && one.head < head);
      heads.push({ head, at });
    },
    due: () => (from === null || to === null || to <= from ? null : { from, to }),
    read(booked) {
      from = booked.to;
    },
  };
}

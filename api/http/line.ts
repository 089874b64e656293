/** How many of one kind are under way. */
export interface Room {
  /** That are worked on. With more, each would take longer and none would be done sooner. */
  readonly atOnce: number;
  /** That wait for their turn. */
  readonly waiting: number;
}

/** @param begin called when it is its turn @returns what ends it, wherever it is then; null where there is no room */
export type Line = (begin: () => void) => (() => void) | null;

/** Lets so many begin at once, and others after them, first come first served. */
export function lineOf({ atOnce, waiting: most }: Room): Line {
  const waiting = new Set<() => void>();
  let working = 0;
  const next = (): void => {
    const [begin] = waiting;
    if (begin === undefined || working >= atOnce) return;
    waiting.delete(begin);
    working += 1;
    begin();
  };
  return (begin) => {
    if (working >= atOnce && waiting.size >= most) return null;
    const turn = (): void => begin();
    waiting.add(turn);
    next();
    return () => {
      if (waiting.delete(turn)) return;
      working -= 1;
      next();
    };
  };
}

/** How many of one kind are under way. */
export interface Room extends Share {
  /** What one caller may have of it, so that others find room beside it; all of it when left out. */
  readonly each?: Share;
}

interface Share {
  /** That are worked on. With more, each would take longer and none would be done sooner. */
  readonly atOnce: number;
  /** That wait for their turn. */
  readonly waiting: number;
}

/**
 * @param who the caller
 * @param begin called when it is its turn
 * @returns what ends it, wherever it is then; null where there is no room
 */
export type Line = (who: string, begin: () => void) => (() => void) | null;

/** Lets so many begin at once, and others after them, first come first served among those who may have more. */
export function lineOf({ atOnce, waiting: most, each = { atOnce, waiting: most } }: Room): Line {
  const waiting = new Set<{ readonly who: string; readonly begin: () => void }>();
  const waitingOf = new Map<string, number>();
  const workingOf = new Map<string, number>();
  let working = 0;
  const mayBegin = (who: string): boolean => working < atOnce && of(workingOf, who) < each.atOnce;
  const mayWait = (who: string): boolean => waiting.size < most && of(waitingOf, who) < each.waiting;
  const work = (who: string, by: 1 | -1): void => {
    working += by;
    add(workingOf, who, by);
  };
  // One that ends makes room for one.
  const next = (): void => {
    for (const turn of waiting) {
      if (!mayBegin(turn.who)) continue;
      waiting.delete(turn);
      add(waitingOf, turn.who, -1);
      work(turn.who, 1);
      turn.begin();
      return;
    }
  };
  return (who, begin) => {
    if (!mayBegin(who) && !mayWait(who)) return null;
    const turn = { who, begin: () => begin() };
    let isOver = false;
    waiting.add(turn);
    add(waitingOf, who, 1);
    next();
    return () => {
      if (isOver) return;
      isOver = true;
      if (waiting.delete(turn)) {
        add(waitingOf, who, -1);
        return;
      }
      work(who, -1);
      next();
    };
  };
}

function of(counts: ReadonlyMap<string, number>, who: string): number {
  return counts.get(who) ?? 0;
}

function add(counts: Map<string, number>, who: string, by: 1 | -1): void {
  const count = of(counts, who) + by;
  if (count === 0) counts.delete(who);
  else counts.set(who, count);
}

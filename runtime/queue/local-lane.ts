/** Work by id that starts in this process at once, as long as fewer than `parallel` are under way. */
export interface LocalLane {
  /**
   * @param anyway started even where there is no room: it is in this process's hands already
   * @returns false when there is no room, or the lane closes: ring for somebody else
   */
  take(id: string, anyway?: boolean): boolean;
  /** How many more would start at once. */
  room(): number;
  /** Takes nothing more, and waits for what is under way. What only waits is left to the sweep. */
  close(): Promise<void>;
}

/** With what is only being written down, no more than so many times a lane's places are under way. */
const WRITING_TIMES = 4;

/** How much a lane does at once, and how much may wait in it besides. */
export interface LaneRoom {
  readonly parallel: number;
  readonly waiting?: number;
}

/**
 * One id is never under way twice: a ring for one that is makes it go once more, because what the ring was for may
 * have come after it looked. It goes once more behind all that waits, so that a noisy one does not keep its place.
 * Work whose doing is over and that only writes down what came of it calls `free`: its place is another's.
 */
export function localLane(
  work: (id: string, free: () => void) => Promise<void>,
  { parallel, waiting: most = 0 }: LaneRoom,
  failed: (id: string, error: unknown) => void,
): LocalLane {
  /** Under way, and whether to go once more. */
  const again = new Map<string, boolean>();
  const waiting = new Set<string>();
  /** Under way, but for the writing done. */
  const freed = new Set<string>();
  const full = (): boolean => again.size - freed.size >= parallel || again.size >= parallel * WRITING_TIMES;
  const underWay = new Set<Promise<void>>();
  let closed = false;
  const start = (id: string): void => {
    again.set(id, false);
    const free = (): void => {
      if (!again.has(id)) return;
      freed.add(id);
      next();
    };
    const run: Promise<void> = work(id, free)
      .catch((error: unknown) => {
        again.set(id, false);
        failed(id, error);
      })
      .finally(() => {
        underWay.delete(run);
        if (again.get(id)) waiting.add(id);
        again.delete(id);
        freed.delete(id);
        next();
      });
    underWay.add(run);
  };
  const next = (): void => {
    for (const id of waiting) {
      if (closed || full()) return;
      waiting.delete(id);
      start(id);
    }
  };
  return {
    room: () =>
      closed || waiting.size > 0
        ? 0
        : Math.min(parallel - again.size + freed.size, parallel * WRITING_TIMES - again.size),
    take(id, anyway = false) {
      if (closed) return false;
      if (again.has(id)) again.set(id, true);
      else if (anyway || (!full() && waiting.size === 0)) start(id);
      else if (!waiting.has(id)) {
        if (waiting.size >= most) return false;
        waiting.add(id);
      }
      return true;
    },
    async close() {
      closed = true;
      waiting.clear();
      await Promise.all(underWay);
    },
  };
}

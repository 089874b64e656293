/** Work by id that starts in this process at once, as long as fewer than `parallel` run. */
export interface LocalLane {
  /** @returns false when there is no room or the lane closes: wake another process */
  take(id: string): boolean;
  /** Takes no new work and waits for what runs. What only waits is left to the sweep. */
  close(): Promise<void>;
}

/** How much a lane does at once, and how much may wait in it besides. */
export interface LaneRoom {
  readonly parallel: number;
  readonly waiting?: number;
}

/**
 * One id never runs twice at the same time. A wake-up for an id that runs makes it run once more, because the event may
 * have come after the run read its mailbox. It then queues behind all that waits, so that a busy id does not keep its
 * slot.
 */
export function localLane(
  work: (id: string) => Promise<void>,
  { parallel, waiting: most = 0 }: LaneRoom,
  failed: (id: string, error: unknown) => void,
): LocalLane {
  /** The ids that run, and whether to run each once more. */
  const again = new Map<string, boolean>();
  const waiting = new Set<string>();
  const full = (): boolean => again.size >= parallel;
  const underWay = new Set<Promise<void>>();
  let closed = false;
  const start = (id: string): void => {
    again.set(id, false);
    const run: Promise<void> = work(id)
      .catch((error: unknown) => {
        again.set(id, false);
        failed(id, error);
      })
      .finally(() => {
        underWay.delete(run);
        if (again.get(id)) waiting.add(id);
        again.delete(id);
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
    take(id) {
      if (closed) return false;
      if (again.has(id)) again.set(id, true);
      else if (!full() && waiting.size === 0) start(id);
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

/** Work by id that starts in this process at once, as long as fewer than `parallel` are under way. */
export interface LocalLane {
  /** @returns false when there is no room: ring for somebody else */
  take(id: string): boolean;
  /** Takes nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

/**
 * One id is never under way twice: a ring for one that is makes it go once more, because what the ring was for may
 * have come after it looked.
 */
export function localLane(
  work: (id: string) => Promise<void>,
  parallel: number,
  failed: (id: string, error: unknown) => void,
): LocalLane {
  const again = new Map<string, boolean>();
  const underWay = new Set<Promise<void>>();
  let closed = false;
  const go = async (id: string): Promise<void> => {
    try {
      do {
        again.set(id, false);
        await work(id);
      } while (again.get(id) && !closed);
    } catch (error) {
      failed(id, error);
    } finally {
      again.delete(id);
    }
  };
  return {
    take(id) {
      if (closed) return false;
      if (again.has(id)) {
        again.set(id, true);
        return true;
      }
      if (again.size >= parallel) return false;
      again.set(id, false);
      const run: Promise<void> = go(id).finally(() => underWay.delete(run));
      underWay.add(run);
      return true;
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };
}

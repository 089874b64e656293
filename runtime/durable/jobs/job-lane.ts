import type { EffectRow } from '../../../store/durable/outbox.ts';
import type { JobStore } from './outbox.ts';

/** The effects of some kinds that one process runs, at most so many at the same time. */
export interface JobLane {
  /** How many more may start now; 0 once it closes. */
  room(): number;
  /** Something is due, or may be: claims what there is room for, now and whenever a slot is free, until nothing is left. */
  wake(): void;
  /** As {@link wake}. Resolves when what is claimed has started and there is room for more: only then wake it again. */
  pull(): Promise<void>;
  /** Starts an effect whose lease this process holds. When the lane closes, it is released instead. */
  begin(row: EffectRow): void;
  /** Claims nothing more, waits for what runs, and until what never started is released. */
  close(): Promise<void>;
}

interface Parts {
  /** The kinds that this process runs in this lane. */
  readonly kinds: readonly string[];
  readonly jobs: JobStore;
  /** How many run at the same time. */
  readonly parallel: number;
  /** @param free called when the effect has run and only its outcome is being written */
  readonly run: (row: EffectRow, free: () => void) => Promise<void>;
  /** A claim took all that there was room for: other processes may take what is left. */
  readonly more: () => void;
  readonly failed: (error: unknown) => void;
}

/** With the attempts that only write their outcome, at most this many times the slots of a lane run. */
const WRITING_TIMES = 4;

/**
 * A lane never holds more than it may run, so what it has no room for is left to other processes. One claim is under way
 * at a time. A wake-up during a claim makes another one follow, because the claim may not have seen what it is for.
 */
export function jobLane({ kinds, jobs, parallel, run, more, failed }: Parts): JobLane {
  const underWay = new Set<Promise<unknown>>();
  const waiting = new Set<() => void>();
  let running = 0;
  let writing = 0;
  let due = false;
  let claiming: Promise<void> | null = null;
  let closed = false;

  const room = (): number =>
    closed ? 0 : Math.max(0, Math.min(parallel - running, parallel * WRITING_TIMES - running - writing));
  const idle = (): boolean => !due && claiming === null && room() > 0;
  const track = (work: Promise<unknown>): void => {
    const ended: Promise<unknown> = work.catch(failed).finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  const start = (row: EffectRow): void => {
    running += 1;
    let freed = false;
    const free = (): void => {
      if (freed) return;
      freed = true;
      running -= 1;
      writing += 1;
      next();
    };
    track(
      run(row, free).finally(() => {
        if (freed) writing -= 1;
        else running -= 1;
        next();
      }),
    );
  };
  const begin = (row: EffectRow): void => {
    if (closed) track(release(jobs, row));
    else start(row);
  };
  const claim = async (): Promise<void> => {
    while (due && room() > 0) {
      due = false;
      const wanted = room();
      const rows = await jobs.claim(kinds, wanted);
      for (const row of rows) begin(row);
      if (rows.length < wanted) continue;
      due = true;
      if (room() === 0) more();
    }
  };
  const next = (): void => {
    if (closed || idle()) {
      for (const go of waiting) go();
      waiting.clear();
    }
    if (!due || claiming !== null || room() === 0) return;
    claiming = claim().finally(() => {
      claiming = null;
      // A slot may have become free after the last look.
      next();
    });
    track(claiming);
  };
  const roomy = async (): Promise<void> => {
    while (!closed && !idle()) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  const wake = (): void => {
    if (closed || kinds.length === 0) return;
    due = true;
    next();
  };
  return {
    room: () => (due ? 0 : room()),
    wake,
    async pull() {
      await roomy();
      wake();
      await claiming?.catch(() => {});
      await roomy();
    },
    begin,
    async close() {
      closed = true;
      next();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Gives an effect back that never started, so that any worker may claim it at once. When this fails, its lease runs out. */
async function release(jobs: JobStore, { key, attempts }: EffectRow): Promise<void> {
  const back = { key, attempt: attempts, status: 'pending', error: null, failed: false } as const;
  await jobs.close({ ...back, event: null, waitMs: 0 });
}

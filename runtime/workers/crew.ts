import type { Pace } from '../../store/paces.ts';
import { beat, leave, type WorkerSelf } from '../../store/workers.ts';
import { Holdings } from '../effects/holdings.ts';
import { pacer } from '../effects/pace.ts';
import { every } from './every.ts';
import type { Keeper } from './keeper.ts';
import { startWorker, type WorkerDeps } from './worker.ts';

/** A worker with what makes it one of several: it says that it lives, keeps paces, and leaves in order. */
export interface Crew {
  /**
   * Takes nothing more and waits for what is in hand; what has not ended by then is given back, for others to take at
   * once. The process must end soon after: what its runs still do is written by nobody.
   * @returns how many effects were given back
   */
  stop(): Promise<number>;
}

interface CrewDeps extends Omit<WorkerDeps, 'holdings' | 'pace' | 'concurrency'> {
  readonly self: Pick<WorkerSelf, 'id' | 'host' | 'pid' | 'concurrency'>;
  readonly keeper: Keeper;
  /** By kind of effect; one without a pace goes as it comes. */
  readonly paces: ReadonlyMap<string, Pace>;
  /** How long what is in hand may take to end; 20,000 when left out. */
  readonly drainMs?: number;
}

const BEAT_MS = 2_000;
const DRAIN_MS = 20_000;
/** Turns are short: more of them wait for the database than work. */
const TURNS_TIMES = 16;

export async function startCrew(deps: CrewDeps): Promise<Crew> {
  const { db, bell, keeper, self, log } = deps;
  const holdings = new Holdings();
  const n = self.concurrency;
  const worker = await startWorker({
    ...deps,
    holdings,
    ...(deps.paces.size > 0 ? { pace: pacer(db, deps.paces) } : {}),
    concurrency: { turns: n * TURNS_TIMES, chain: n, determination: n, default: n, survey: Math.ceil(n / 2) },
  });
  const tell = (): Promise<void> => beat(db, { ...self, keeper: keeper.keeps(), inHand: holdings.size });
  await tell();
  const beats = every(BEAT_MS, tell, log);
  return {
    async stop() {
      // The bell first, and at once: while the sweep and the beats end, nothing new may begin.
      const closed = bell.close().then(() => worker.settled());
      const ended = Promise.all([closed, keeper.stop(), worker.stop()]);
      const quiet = beats.stop();
      const inTime = await within(deps.drainMs ?? DRAIN_MS, ended);
      await quiet;
      const at = { now: deps.now(), clock: deps.leaseClock?.() ?? null };
      const back = inTime ? 0 : await holdings.giveBack(db, at);
      if (back > 0) log.warn({ effects: back }, 'what did not end in time was given back');
      await leave(db, self.id);
      return back;
    },
  };
}

/** @returns false when `work` had not ended after `ms` */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

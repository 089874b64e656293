import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { askForDuty, type Duty } from '../../store/duty.ts';
import { every } from './every.ts';

export interface Round {
  stop(): Promise<void>;
}

export interface Keeper {
  /** True while this process keeps the rounds. */
  keeps(): boolean;
  stop(): Promise<void>;
}

/** Any constant will do, apart from the one of migrations. */
const ROUNDS = 7_266_404;
const ASK_MS = 1_000;

/**
 * Rounds that one process keeps for all: whichever asks first begins them, and when it ends, however it ends, another
 * one that asks begins them. Each round is safe when two keep it for a moment; this spares the work, it guards nothing.
 */
export function keepRounds(
  db: Database,
  begin: () => readonly Round[],
  log: Pick<Logger, 'warn'>,
  askMs: number = ASK_MS,
): Keeper {
  let duty: Duty | null = null;
  let rounds: readonly Round[] = [];
  const end = async (): Promise<void> => {
    const [held, kept] = [duty, rounds];
    duty = null;
    rounds = [];
    await Promise.all(kept.map((round) => round.stop()));
    await held?.release();
  };
  const asking = every(
    askMs,
    async () => {
      if (duty !== null) {
        if (!(await duty.stillMine())) await end();
        return;
      }
      duty = await askForDuty(db, ROUNDS);
      if (duty !== null) rounds = begin();
    },
    log,
  );
  return {
    keeps: () => duty !== null,
    async stop() {
      await asking.stop();
      await end();
    },
  };
}

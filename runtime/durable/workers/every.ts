import type { Logger } from 'pino';
import { readable } from '../../../agents/readable.ts';

/**
 * Runs `work` again and again, `ms` after the last run ended. A failure ends only that run, and the next one tries again.
 * It logs when `work` begins to fail, when the reason changes, and when it works again.
 */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let told: string | null = null;
  const round = (): void => {
    // Called inside a promise, so that a synchronous throw does not end the repetition either.
    running = Promise.resolve()
      .then(work)
      .then(() => {
        if (told !== null) log.warn({ error: told }, 'a sweep that failed works again');
        told = null;
      })
      .catch((error: unknown) => {
        const words = readable(String(error));
        if (told === null || sameWords(told) !== sameWords(words))
          log.warn({ error: words }, 'a sweep failed');
        told = words;
      })
      .finally(() => {
        if (!stopped) timer = setTimeout(round, ms);
      });
  };
  timer = setTimeout(round, ms);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** The words without block numbers and milliseconds: the same failure with other numbers is no new reason. */
function sameWords(words: string): string {
  return words.replace(/0x[0-9a-f]+|\d+/gi, '#');
}

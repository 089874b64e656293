import type { Logger } from 'pino';

/** Runs `work` again and again, `ms` after the last one ended; a failure is logged and the next round tries again. */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const round = (): void => {
    running = work()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'a sweep failed'))
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

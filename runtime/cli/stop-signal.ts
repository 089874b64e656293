type Env = Readonly<Record<string, string | undefined>>;

/** One key press may come twice: from the terminal, and again from the program that started this one. */
const ONE_PRESS_MS = 2_000;
const PARENT_MS = 500;

/**
 * Resolves when the service is to stop: at the first SIGINT or SIGTERM from now on, and under npm also when npm was
 * ended, which tells its shell and not the program in it. One more signal, later than the same key press may bring it,
 * ends the process at once. Taken before anything starts: what a start has begun by then is stopped in order, and
 * nothing is left behind.
 */
export function stopSignal(env: Env): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | null = null;
    const end = (): void => {
      const now = performance.now();
      if (asked !== null && now - asked > ONE_PRESS_MS) process.exit(130);
      asked ??= now;
      resolve();
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    // What npm leaves in the environment of others is not about this process.
    if (!env.npm_lifecycle_script?.includes('runtime/cli/main.ts')) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_MS).unref();
  });
}

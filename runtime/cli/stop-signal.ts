import { EXIT_CODES } from './exit-codes.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * One press of Ctrl-C may send two signals: one from the terminal, and one from the program that started this process.
 */
const ONE_PRESS_MS = 2_000;
const PARENT_MS = 500;

/**
 * Resolves when the service must stop: at the first SIGINT or SIGTERM, and under npm also when npm has ended, because
 * npm passes its end on to its shell but not to this program. A later signal, beyond what the same key press can cause,
 * ends the process at once. Call it before anything starts: then whatever a start has begun is stopped in order, and
 * nothing is left running.
 */
export function stopSignal(env: Env): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | null = null;
    const end = (): void => {
      const now = performance.now();
      if (asked !== null && now - asked > ONE_PRESS_MS) process.exit(EXIT_CODES.interrupted.code);
      asked ??= now;
      resolve();
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    // Other programs inherit npm's variables, so check that npm runs this program.
    if (!env.npm_lifecycle_script?.includes('runtime/bin.mjs')) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_MS).unref();
  });
}

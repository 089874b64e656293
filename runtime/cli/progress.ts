/** Where progress is shown; tests pass their own. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const SHOWN_AFTER_MS = 500;
const EACH_MS = 1_000;

/**
 * Shows on standard error that long work goes on, and for how many seconds: on a terminal as one line that is taken back
 * at the end, elsewhere not at all. What a command prints on standard output is not touched.
 */
export async function withProgress<T>(
  what: string,
  work: (say: (step: string) => void) => Promise<T>,
  stream: ProgressStream = process.stderr,
): Promise<T> {
  if (stream.isTTY !== true) return await work(() => {});
  const began = performance.now();
  let step = what;
  let shown = false;
  const show = (): void => {
    shown = true;
    const seconds = Math.round((performance.now() - began) / 1000);
    stream.write(`\r\x1b[2K… ${step} (${seconds} s)`);
  };
  const first = setTimeout(show, SHOWN_AFTER_MS);
  const timer = setInterval(show, EACH_MS);
  try {
    return await work((next) => {
      step = next;
      if (shown) show();
    });
  } finally {
    clearTimeout(first);
    clearInterval(timer);
    if (shown) stream.write('\r\x1b[2K');
  }
}

/** Milliseconds of a clock that nobody can set. */
type Steady = () => number;

const steadily: Steady = () => performance.now();

/**
 * What several periodic tasks look at: it is asked once for all that look within `ms`. An answer that did not come is
 * asked for again at once.
 */
export function sharedLook<T>(
  ms: number,
  ask: () => Promise<T>,
  steady: Steady = steadily,
): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null;
  return () => {
    if (last !== null && steady() - last.at < ms) return last.answer;
    const asked = { at: steady(), answer: ask() };
    asked.answer.catch(() => {
      if (last === asked) last = null;
    });
    last = asked;
    return asked.answer;
  };
}

/**
 * A periodic task that runs only where there is something to do for it, and after `idleMs` all the same: for what it
 * looks after besides.
 */
export function whileDue<T>(
  isDue: () => Promise<boolean>,
  task: () => Promise<T>,
  idleMs: number,
  steady: Steady = steadily,
): () => Promise<T | undefined> {
  let ran = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!(await isDue()) && steady() - ran < idleMs) return undefined;
    const at = steady();
    const result = await task();
    ran = at;
    return result;
  };
}

/** A periodic task that runs once for each value of what it follows, and after `idleMs` all the same. */
export function onceFor<T>(
  follows: () => Promise<unknown>,
  task: () => Promise<T>,
  idleMs: number,
  steady: Steady = steadily,
): () => Promise<T | undefined> {
  let seen: unknown;
  let next: unknown;
  const run = whileDue(
    async () => {
      next = await follows();
      return next !== seen;
    },
    async () => {
      const value = next;
      const result = await task();
      seen = value;
      return result;
    },
    idleMs,
    steady,
  );
  return run;
}

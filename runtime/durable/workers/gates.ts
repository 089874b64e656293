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
  rest: Rest<T> = { restMs: ms, isNothing: () => false },
): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null;
  let nothing = 0;
  return () => {
    const believedMs = nothing < AT_REST_AFTER ? ms : rest.restMs;
    if (last !== null && steady() - last.at < believedMs) return last.answer;
    const asked = { at: steady(), answer: ask() };
    asked.answer.then(
      (answer) => {
        nothing = rest.isNothing(answer) ? nothing + 1 : 0;
      },
      () => {
        if (last === asked) last = null;
      },
    );
    last = asked;
    return asked.answer;
  };
}

/** How long an answer is believed once several in a row have said that there is nothing. */
interface Rest<T> {
  readonly restMs: number;
  readonly isNothing: (answer: T) => boolean;
}

/** After so many looks that found nothing the next ones are further apart. */
const AT_REST_AFTER = 3;

/**
 * A periodic task that passes over every other time while it finds nothing.
 * @param task tells whether it found anything
 */
export function lessAtRest(task: () => Promise<boolean>): () => Promise<void> {
  let nothing = 0;
  let passed = false;
  return async () => {
    passed = nothing >= AT_REST_AFTER && !passed;
    if (!passed) nothing = (await task()) ? 0 : nothing + 1;
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

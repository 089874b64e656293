import type { Plan } from './plan.ts';
import { type History, type Sabotage, simulate } from './simulate.ts';

const MOST_TRIES = 150;

/**
 * Removes from a failing history everything that it does not need to break the same rule: first the faults, then the
 * actions, half of them at a time and in the end one by one.
 */
export async function shrink(failing: History, sabotage: Sabotage = {}): Promise<History> {
  const rule = failing.violation!.rule;
  let best = failing;
  let tries = 0;
  const attempt = async (plan: Plan): Promise<boolean> => {
    if (tries++ >= MOST_TRIES) return false;
    const history = await simulate(plan, sabotage);
    if (history.violation?.rule !== rule) return false;
    best = history;
    return true;
  };
  for (const fault of failing.plan.faults) {
    await attempt({ ...best.plan, faults: best.plan.faults.filter((f) => f !== fault) });
  }
  for (
    let size = Math.ceil(best.plan.actions.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < best.plan.actions.length; ) {
      const actions = best.plan.actions.filter((_, i) => i < at || i >= at + size);
      if (!(await attempt({ ...best.plan, actions }))) at += size;
    }
  }
  return best;
}

/** A readable report of a failing history: the rule that broke, what led there, and how to run it again. */
export function report(history: History, lastLines = 40): string {
  const { plan, violation, steps, traceHash, lines } = history;
  return [
    `seed ${plan.seed} breaks: ${violation?.message}`,
    `what goes wrong around it: ${plan.faults.join(', ') || 'nothing'}`,
    'what people do:',
    ...[...plan.actions]
      .sort((a, b) => a.at - b.at)
      .map(
        ({ id, at, do: what, ...rest }) =>
          `  ${(at / 1000).toFixed(1)} s  ${what} ${id} ${JSON.stringify(rest)}`,
      ),
    `the last of ${steps} steps:`,
    ...lines.slice(-lastLines).map((line) => `  ${line}`),
    `trace ${traceHash}; see it again: npm run simulate -- --replay ${plan.seed}`,
  ].join('\n');
}

import { report, shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

/** Runs histories and reports the first one that breaks a rule, shrunk. @returns the totals of all histories */
export async function holdAll(
  from: number,
  seeds: number,
): Promise<{ failing: string | null; matches: number; recorded: number }> {
  let [matches, recorded] = [0, 0];
  for (let seed = from; seed < from + seeds; seed++) {
    const history = await simulate(String(seed));
    if (history.violation !== null) return { failing: report(await shrink(history)), matches, recorded };
    matches += history.counts.matches;
    recorded += history.counts.recorded;
  }
  return { failing: null, matches, recorded };
}

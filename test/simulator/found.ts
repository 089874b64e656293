import { type History, type Sabotage, simulate } from './simulate.ts';

/** A rule that is switched off is found in this many histories. */
const MOST_SEEDS = 1_000;

const found: { what: string; seeds: number; rule: string }[] = [];

/** @returns the first history that breaks a rule, and how many seeds it took to find it */
export async function firstFailing(
  what: string,
  sabotage: Sabotage = {},
): Promise<{ history: History | null; seeds: number }> {
  for (let seed = 0; seed < MOST_SEEDS; seed++) {
    const history = await simulate(`broken ${seed}`, sabotage);
    if (history.violation === null) continue;
    found.push({ what, seeds: seed + 1, rule: history.violation.rule });
    return { history, seeds: seed + 1 };
  }
  return { history: null, seeds: MOST_SEEDS };
}

/** Prints how many histories it took to find each. */
export function foundAll(): void {
  const lines = found.map(({ what, seeds, rule }) => `${String(seeds).padStart(5)}  ${what}: ${rule}`);
  process.stdout.write(`Histories until it is found\n${lines.join('\n')}\n`);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { type History, type Sabotage, simulate } from './simulate.ts';

/** A rule that is switched off is found in this many histories. */
const MOST_SEEDS = 1_000;
const KEPT = new URL('found-at.json', import.meta.url);

/**
 * In which history each was found last, which is tried first. Where it does not break there any more, because the service
 * has changed since, all are tried from the beginning.
 */
const keptAt = (): Record<string, number> => JSON.parse(readFileSync(KEPT, 'utf8'));

const found: { what: string; seeds: number; rule: string }[] = [];

/** @returns a history that breaks a rule, and how many seeds it takes to come to it */
export async function firstFailing(
  what: string,
  sabotage: Sabotage = {},
): Promise<{ history: History | null; seeds: number }> {
  const kept = process.env.UPDATE_FOUND === '1' ? undefined : keptAt()[what];
  for (const seed of seedsFrom(kept)) {
    const history = await simulate(`broken ${seed}`, sabotage);
    if (history.violation === null) continue;
    found.push({ what, seeds: seed + 1, rule: history.violation.rule });
    return { history, seeds: seed + 1 };
  }
  return { history: null, seeds: MOST_SEEDS };
}

function* seedsFrom(kept: number | undefined): Generator<number> {
  if (kept !== undefined) yield kept - 1;
  for (let seed = 0; seed < MOST_SEEDS; seed++) yield seed;
}

/** Prints how many histories it took to find each, and keeps it with `UPDATE_FOUND=1`. */
export function foundAll(): void {
  const lines = found.map(({ what, seeds, rule }) => `${String(seeds).padStart(5)}  ${what}: ${rule}`);
  process.stdout.write(`Histories until it is found\n${lines.join('\n')}\n`);
  if (process.env.UPDATE_FOUND !== '1') return;
  const all = { ...keptAt(), ...Object.fromEntries(found.map(({ what, seeds }) => [what, seeds])) };
  writeFileSync(KEPT, `${JSON.stringify(all, null, 2)}\n`);
}

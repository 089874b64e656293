import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, as Linux reports CPU times. */
const TICKS = 100;

/** CPU seconds that the processes whose command line holds one of these words have used so far, all together. */
export function cpuSeconds(words: readonly string[]): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (!words.some((word) => command.includes(word))) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended while it was looked at.
    }
  }
  return ticks / TICKS;
}

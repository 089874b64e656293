import { random } from '../simulator/random.ts';
import { changed, otherSecrets, type Script, type Secrets, writeHistory } from './history.ts';
import type { Theatre } from './theatre.ts';

export interface Leak {
  readonly seed: string;
  readonly script: Script;
  readonly secrets: readonly [Secrets, Secrets];
  /** The first act after which the public saw a difference, and what it saw on both sides. */
  readonly act: number;
  readonly seen: readonly [string, string];
}

export interface Compared {
  readonly histories: number;
  /** Secret numbers that differed in the second run. */
  readonly numbers: number;
  readonly matches: number;
  readonly closeCalls: number;
  readonly bytes: number;
  readonly leak: Leak | null;
}

/**
 * Runs histories twice, on two databases, with different limits, floors and rooms that give the same price to beat and
 * the same matches, and with refused attempts on one side only. It compares every public byte.
 */
export async function compare(
  stages: readonly [Theatre, Theatre],
  { from, histories, write = writeHistory }: { from: number; histories: number; write?: typeof writeHistory },
): Promise<Compared> {
  const sum = { histories: 0, numbers: 0, matches: 0, closeCalls: 0, bytes: 0 };
  for (let n = from; sum.histories < histories; n++) {
    const seed = `leak ${n}`;
    const { script, secrets } = write(random(seed));
    const other = otherSecrets(script, secrets, random(`${seed}, another way`));
    if (other === null) continue;
    const seen = await Promise.all([
      stages[0].play(script, secrets, 0),
      stages[1].play(script, other, n % 3),
    ]);
    const all = seen[0].join('');
    sum.histories += 1;
    sum.numbers += changed(secrets, other);
    sum.matches += all.includes('event: match') ? 1 : 0;
    sum.closeCalls += all.includes('event: close-call') ? 1 : 0;
    sum.bytes += all.length;
    const act = seen[0].findIndex((bytes, i) => bytes !== seen[1][i]);
    if (act >= 0 || seen[0].length !== seen[1].length) {
      return {
        ...sum,
        leak: { seed, script, secrets: [secrets, other], act, seen: apart(seen[0][act], seen[1][act]) },
      };
    }
  }
  return { ...sum, leak: null };
}

/** The first line that differs; of a long line, the part around the first difference. */
function apart(one = '', two = ''): readonly [string, string] {
  const [a, b] = [one.split('\n'), two.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  const [x, y] = at < 0 ? ['', b[a.length] ?? ''] : [a[at]!, b[at] ?? ''];
  const first = [...x].findIndex((sign, i) => sign !== y[i]);
  const from = Math.max(0, (first < 0 ? x.length : first) - 300);
  return [x.slice(from, from + 600), y.slice(from, from + 600)];
}

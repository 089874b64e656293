/** A seeded generator (sfc32): the same seed gives the same numbers on every machine. */
export interface Random {
  /** 0 ≤ n < below. */
  below(below: number): number;
  /** True with the probability `share`. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** An independent generator, named so that it is always the same; drawing from it changes nothing here. */
  fork(name: string): Random;
}

export function random(seed: string): Random {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  for (const ch of seed) d = Math.imul(d ^ ch.charCodeAt(0), 0x01000193);
  const next = (): number => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 0x1_0000_0000;
  };
  for (let i = 0; i < 15; i++) next();
  return {
    below: (below) => Math.floor(next() * below),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)]!,
    fork: (name) => random(`${seed}/${name}`),
  };
}

/** A measurement at a time: minutes since the start, bytes. */
export type Sample = readonly [minutes: number, bytes: number];

/** Bytes a minute, by least squares. */
export function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [x, y] = [mean(([minutes]) => minutes), mean(([, bytes]) => bytes)];
  const along = mean(([minutes]) => (minutes - x) ** 2);
  return along === 0 ? 0 : mean(([minutes, bytes]) => (minutes - x) * (bytes - y)) / along;
}

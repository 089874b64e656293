/** One line of a bench's table. What does not apply is left out. */
export interface BenchRow {
  readonly name: string;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly perSecond?: number;
  /** Of this line to the one it is measured against, in the same run. */
  readonly ratio?: number;
  /** The goal of the ratio, in words: "at least 0.6". */
  readonly goal?: string;
  readonly ok?: boolean;
}

/** The value below which `share` of the measurements lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One line of a bench's table. What does not apply is left out. */
export interface BenchRow {
  readonly name: string;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly perSecond?: number;
  /** Anything but a time, in words: "61.2, and 4.0 at rest". */
  readonly measured?: string;
  /** Of this line to the one it is measured against, in the same run. */
  readonly ratio?: number;
  /** The goal, in words: "at least 0.6". */
  readonly goal?: string;
  readonly ok?: boolean;
}

/** What was asked of the benches beside their names. */
export interface BenchOptions {
  /** A path to data of the operator's own. */
  readonly data?: string;
  /** A short run. */
  readonly quick: boolean;
  /** A run at the size of the goal, where that takes long. */
  readonly full: boolean;
  /** A folder for CPU profiles; a new one below the system's own when left out. */
  readonly profile?: string;
  /** How much of what: `agents=400`. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** The value below which `share` of the measurements lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

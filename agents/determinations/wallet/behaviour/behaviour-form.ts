/**
 * What an address did with a chain's own coin, or with its dollars, in numbers. Values are in any one unit, because only
 * their ratios are judged.
 */
export interface Behaviour {
  readonly chain: string;
  /** Where the history was read. */
  readonly source: string;
  /** False when more exists than was read. */
  readonly complete: boolean;
  readonly sent: number;
  readonly received: number;
  readonly uniqueTo: number;
  readonly uniqueFrom: number;
  /** Minutes between two that it sent, and between two that it received, on average; 0 with fewer than two. */
  readonly gapSent: number;
  readonly gapReceived: number;
  readonly minSent: number;
  readonly avgSent: number;
  readonly maxSent: number;
  readonly minReceived: number;
  readonly avgReceived: number;
  readonly maxReceived: number;
}

/** A tree of depth three as `[feature, threshold]` of its seven inner nodes, level by level, and its eight leaves. */
export interface Tree {
  readonly splits: readonly (readonly [feature: number, threshold: number])[];
  readonly leaves: readonly number[];
}

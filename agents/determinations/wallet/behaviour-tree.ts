/** A tree of depth three as `[feature, threshold]` of its seven inner nodes, level by level, and its eight leaves. */
export interface Tree {
  readonly splits: readonly (readonly [feature: number, threshold: number])[];
  readonly leaves: readonly number[];
}

/** Things as numbers: what the fit sees of each. */
export interface Table {
  /** Standardised numeric columns, by row. */
  readonly numbers: readonly Float64Array[];
  /** For each group, the number of the level that each row has in it. */
  readonly groups: readonly Int32Array[];
  /** How many levels each group has. */
  readonly levels: readonly number[];
}

/** Weight that draws the effect of a level to nothing, in sales: a level of few sales tells little. */
const SHRINK = 1.5;
const RIDGE = 0.3;
const ROUNDS = 8;
/** Beyond so many deviations a sale pulls no harder (Huber, "Robust estimation of a location parameter", 1964). */
const HUBER = 1.5;

/**
 * Fits logarithms of prices by a sum of a line in the numbers and one effect for each level of each group, drawn to nought
 * (backfitting: Hastie and Tibshirani, "Generalized additive models", 1986), and predicts them for all rows of the table.
 * Fixed rounds, so that the same sales give the same numbers.
 * @param train the rows to fit on
 * @param prior the weight of each row, of age
 */
export function fitted(
  { numbers, groups, levels }: Table,
  logs: Float64Array,
  train: readonly number[],
  prior: Float64Array,
): Float64Array {
  const rows = groups[0]?.length ?? numbers[0]?.length ?? logs.length;
  const effects = levels.map((n) => new Float64Array(n));
  const weight = Float64Array.from(prior);
  const line = new Float64Array(rows);
  const sum = new Float64Array(rows);
  for (let round = 0; round < ROUNDS; round++) {
    solveLine(numbers, train, (i) => logs[i]! - sum[i]!, weight, line);
    for (const [g, level] of groups.entries()) {
      const effect = effects[g]!;
      for (let i = 0; i < rows; i++) sum[i] = sum[i]! - effect[level[i]!]!;
      const [total, count] = [new Float64Array(effect.length), new Float64Array(effect.length).fill(SHRINK)];
      for (const i of train) {
        const at = level[i]!;
        total[at] = total[at]! + weight[i]! * (logs[i]! - line[i]! - sum[i]!);
        count[at] = count[at]! + weight[i]!;
      }
      for (let at = 0; at < effect.length; at++) effect[at] = total[at]! / count[at]!;
      for (let i = 0; i < rows; i++) sum[i] = sum[i]! + effect[level[i]!]!;
    }
    const off = train.map((i) => Math.abs(logs[i]! - line[i]! - sum[i]!)).sort((a, b) => a - b);
    const scale = 1.4826 * (off[off.length >> 1] ?? 0) + 1e-9;
    for (const i of train) {
      const error = Math.abs(logs[i]! - line[i]! - sum[i]!);
      weight[i] = prior[i]! * Math.min(1, (HUBER * scale) / Math.max(error, 1e-9));
    }
  }
  return line.map((value, i) => value + sum[i]!);
}

/** Least squares with a ridge on all but the constant; writes the line's value for every row. */
function solveLine(
  numbers: readonly Float64Array[],
  train: readonly number[],
  target: (row: number) => number,
  weight: Float64Array,
  line: Float64Array,
): void {
  const width = numbers.length + 1;
  const at = (row: number, column: number): number => (column === 0 ? 1 : numbers[column - 1]![row]!);
  const matrix = Array.from({ length: width }, () => new Float64Array(width + 1));
  for (const row of train) {
    const [w, y] = [weight[row]!, target(row)];
    for (let a = 0; a < width; a++) {
      const wa = w * at(row, a);
      for (let b = a; b < width; b++) matrix[a]![b] = matrix[a]![b]! + wa * at(row, b);
      matrix[a]![width] = matrix[a]![width]! + wa * y;
    }
  }
  for (let a = 0; a < width; a++) {
    for (let b = 0; b < a; b++) matrix[a]![b] = matrix[b]![a]!;
    matrix[a]![a] = matrix[a]![a]! + (a === 0 ? 1e-9 : RIDGE);
  }
  const solved = eliminated(matrix);
  for (let row = 0; row < line.length; row++) {
    let value = 0;
    for (let a = 0; a < width; a++) value += solved[a]! * at(row, a);
    line[row] = value;
  }
}

/** Gauss and Jordan; the matrix is positive definite, so no pivot is sought. */
function eliminated(matrix: readonly Float64Array[]): Float64Array {
  const width = matrix.length;
  for (let a = 0; a < width; a++) {
    const pivot = matrix[a]![a]!;
    for (let b = a; b <= width; b++) matrix[a]![b] = matrix[a]![b]! / pivot;
    for (let row = 0; row < width; row++) {
      const factor = matrix[row]![a]!;
      if (row === a || factor === 0) continue;
      for (let b = a; b <= width; b++) matrix[row]![b] = matrix[row]![b]! - factor * matrix[a]![b]!;
    }
  }
  return Float64Array.from(matrix, (row) => row[width]!);
}

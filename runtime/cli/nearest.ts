/** The name that a misspelt one most likely stands for; null when none is near. */
export function nearest(word: string, names: readonly string[]): string | null {
  const most = word.length < 5 ? 1 : 2;
  const near = names
    .map((name) => ({ name, distance: editsBetween(word, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name ?? null;
}

/** How many letters must be changed, added or left out (Levenshtein, 1966), two that changed places counting as one. */
function editsBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      rows[i]![j] = Math.min(change, rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, swap);
    }
  return rows[a.length]![b.length]!;
}

/**
 * Keeps the latest of what is read again and again. The answer never waits for a newer one; only the first question waits.
 * @param maxAgeMs how old a reading may be before the next question starts another
 */
export function latestReading<T>(
  read: () => Promise<T>,
  { clock = () => performance.now(), maxAgeMs = 5_000 }: { clock?: () => number; maxAgeMs?: number } = {},
): () => Promise<T> {
  let latest: { readonly value: T; readonly at: number } | null = null;
  let reading: Promise<T> | null = null;
  const readNow = (): Promise<T> => {
    reading ??= read()
      .then((value) => {
        latest = { value, at: clock() };
        return value;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  return async () => {
    if (latest === null) return await readNow();
    if (clock() - latest.at >= maxAgeMs) readNow().catch(() => {});
    return latest.value;
  };
}

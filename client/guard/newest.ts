/** How much of the past is kept for as long as a guard lives. */
export const KEPT = 1_000;

/** Sets an entry as the newest of a map. */
export function setNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** Lets go of the oldest entries beyond those that are kept, as far as they may go. */
export function dropOldest<Value>(map: Map<string, Value>, mayGo: (value: Value) => boolean): void {
  for (const [key, value] of map) {
    if (map.size <= KEPT || !mayGo(value)) return;
    map.delete(key);
  }
}

/** Readers of JSON of unknown shape, such as a record's content. A value of the wrong type reads as empty. */

/** @returns an empty object for anything that is not an object */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** @returns an empty list for anything that is not a list */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @returns the members of a list, each read by {@link asObject} */
export function objects(value: unknown): readonly Record<string, unknown>[] {
  return list(value).map(asObject);
}

/** @returns an empty text for anything that is neither text nor number */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Reads of JSON whose shape nothing promises, such as a record's content: what is not as hoped for is empty. */

/** @returns an empty object for what is none */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** @returns an empty list for what is none */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @returns a list's members, each as {@link asObject} has it */
export function objects(value: unknown): readonly Record<string, unknown>[] {
  return list(value).map(asObject);
}

/** @returns an empty text for what is neither text nor number */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Objects that never change, and their JSON. */
export type KeptJson = WeakMap<object, string>;

/** Writes an object down once. It must not change from then on. @returns the same object */
export function keep<T extends object>(kept: KeptJson, value: T): T {
  kept.set(value, JSON.stringify(value));
  return value;
}

/** What `JSON.stringify` makes of plain data, with the text of kept objects as it was written down. */
export function jsonWith(kept: KeptJson, value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const known = kept.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) return `[${value.map((member) => jsonWith(kept, member)).join()}]`;
  let text = '';
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${jsonWith(kept, member)}`;
  }
  return `{${text}}`;
}

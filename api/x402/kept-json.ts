/** The JSON of objects that never change. */
export type KeptJson = WeakMap<object, string>;

/** Keeps the JSON of an object, which must not change from then on. @returns the same object */
export function keep<T extends object>(kept: KeptJson, value: T): T {
  kept.set(value, JSON.stringify(value));
  return value;
}

/** Does what `JSON.stringify` does with plain data, but takes the JSON of kept objects as it was kept. */
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

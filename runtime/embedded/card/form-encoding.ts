/** A value of a form with Stripe's nesting: `line_items[0][price_data][currency]=usd`. Lists are keyed by index. */
export type FormValue = string | FormFields;
export type FormFields = Map<string, FormValue>;

const MAX_DEPTH = 8;

/**
 * Reads `application/x-www-form-urlencoded` with bracketed keys.
 * @throws RangeError when a key is malformed, or names both a value and a group
 */
export function parseForm(body: string): FormFields {
  const root: FormFields = new Map();
  for (const [key, value] of new URLSearchParams(body)) {
    if (!/^[^[\]]+(?:\[[^[\]]*\])*$/.test(key))
      throw new RangeError(`malformed parameter ${key.slice(0, 80)}`);
    const path = key.split('[').map((part) => part.replace(/\]$/, ''));
    if (path.length > MAX_DEPTH) throw new RangeError(`parameter ${key.slice(0, 80)} is nested too deeply`);
    put(root, path, value);
  }
  return root;
}

function put(root: FormFields, path: readonly string[], value: string): void {
  let at = root;
  for (const part of path.slice(0, -1)) {
    const name = part === '' ? String(at.size) : part;
    const next = at.get(name) ?? new Map<string, FormValue>();
    if (typeof next === 'string') throw new RangeError(`parameter ${name} is both a value and a group`);
    at.set(name, next);
    at = next;
  }
  const last = path.at(-1) as string;
  const name = last === '' ? String(at.size) : last;
  if (at.has(name)) throw new RangeError(`parameter ${name} is given twice`);
  at.set(name, value);
}

/** @returns undefined when there is no plain value of this name */
export function textField(fields: FormFields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** @returns an empty map when there is no group of this name */
export function groupField(fields: FormFields, name: string): FormFields {
  const value = fields.get(name);
  return value instanceof Map ? value : new Map();
}

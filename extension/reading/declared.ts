export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const DEEPEST = 32;

/**
 * What of a struct of typed data is signed: the fields that its types declare (EIP-712). Wallets leave out what a page
 * writes beside them, so that it must not tell what is signed.
 * @returns null where the types do not declare it
 */
export function declaredPart(types: Fields, name: string, value: Fields): Fields | null {
  try {
    return partOf(types, name, value, 0);
  } catch {
    return null;
  }
}

/** @throws TypeError for a struct that is not declared */
function partOf(types: Fields, name: string, value: Fields, depth: number): Fields {
  const declared = Object.hasOwn(types, name) ? types[name] : null;
  if (!Array.isArray(declared) || depth > DEEPEST) throw new TypeError(`${name} is not declared`);
  const inner = (type: string, given: unknown): unknown => {
    if (Array.isArray(given)) return given.map((one) => inner(type, one));
    if (!Object.hasOwn(types, type) || typeof given !== 'object' || given === null) return given;
    return partOf(types, type, given as Fields, depth + 1);
  };
  return Object.fromEntries(
    declared.map(fieldsOf).flatMap((field) => {
      const [key, type] = [field.name, field.type];
      if (typeof key !== 'string' || typeof type !== 'string') throw new TypeError('a field has no type');
      return Object.hasOwn(value, key)
        ? [[key, inner(type.replace(/(?:\[\d*\])+$/, ''), value[key])] as const]
        : [];
    }),
  );
}

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const DEEPEST = 32;

/** What of a struct of typed data is signed, and its fields that wallets do not read alike. */
export interface DeclaredPart {
  readonly fields: Fields;
  readonly ambiguous: readonly string[];
}

/**
 * What of a struct of typed data is signed: the fields that its types declare (EIP-712). Wallets leave out what a page
 * writes beside them, so that it must not tell what is signed.
 * @returns null where the types do not declare it
 */
export function declaredPart(types: Fields, name: string, value: Fields): DeclaredPart | null {
  const ambiguous = new Set<string>();
  try {
    const fields = partOf({ types, ambiguous }, name, value, 0);
    return { fields, ambiguous: [...ambiguous] };
  } catch {
    return null;
  }
}

/** Without 0x, some wallets take bytes for text, and an address for a decimal number. */
function isAmbiguous(type: string, given: unknown): boolean {
  if (typeof given !== 'string' || (type !== 'bytes' && type !== 'address')) return false;
  return !(type === 'bytes' ? /^(?:0x[0-9a-f]*)?$/i : /^(?:0x[0-9a-f]*|\d+)$/i).test(given);
}

/** @throws TypeError for a struct that is not declared */
function partOf(
  of: { readonly types: Fields; readonly ambiguous: Set<string> },
  name: string,
  value: Fields,
  depth: number,
): Fields {
  const { types, ambiguous } = of;
  const declared = Object.hasOwn(types, name) ? types[name] : null;
  if (!Array.isArray(declared) || depth > DEEPEST) throw new TypeError(`${name} is not declared`);
  const inner = (key: string, type: string, given: unknown): unknown => {
    if (Array.isArray(given)) return given.map((one) => inner(key, type, one));
    if (isAmbiguous(type, given)) ambiguous.add(key);
    if (!Object.hasOwn(types, type) || typeof given !== 'object' || given === null) return given;
    return partOf(of, type, given as Fields, depth + 1);
  };
  return Object.fromEntries(
    declared.map(fieldsOf).flatMap((field) => {
      const [key, type] = [field.name, field.type];
      if (typeof key !== 'string' || typeof type !== 'string') throw new TypeError('a field has no type');
      return Object.hasOwn(value, key)
        ? [[key, inner(key, type.replace(/(?:\[\d*\])+$/, ''), value[key])] as const]
        : [];
    }),
  );
}

import { type Attributes, attributeName, told } from './attributes.ts';

/**
 * The attributes of the second that tell something else than the first does, and those of which it tells nothing; by the
 * names as the second gives them. Names and values may be spelled freely. Attributes that tell of no price are passed over.
 */
export function comparedWith(
  listed: Attributes,
  asked: Attributes,
): { readonly contradicted: readonly string[]; readonly untold: readonly string[] } {
  const first = told(listed);
  const contradicted: string[] = [];
  const untold: string[] = [];
  for (const [given, value] of Object.entries(asked)) {
    const name = attributeName(given);
    const one = told({ [given]: value });
    const asks = one.numbers.get(name) ?? one.texts.get(name);
    if (asks === undefined) continue;
    const tells = first.numbers.get(name) ?? first.texts.get(name);
    if (tells === undefined) untold.push(given);
    else if (tells !== asks) contradicted.push(given);
  }
  return { contradicted, untold };
}

/** The last word of the noun itself, as a singular. */
export function headOf(text: string): string {
  const noun = text.toLowerCase().split(/ (?:of|to|for|in|from) /)[0]!;
  const last = noun.split(/[\s-]+/).at(-1)!;
  if (/ies$/.test(last)) return `${last.slice(0, -3)}y`;
  return last.replace(/(?<=x|ch|sh)es$|(?<!s)s$/, '');
}

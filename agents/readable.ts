/** Longer than any node's own words; what a contract says may be megabytes. */
const LONGEST = 500;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A stranger's words (a node's, a contract's, a server's) as they may be logged, stored and shown: short, on one line,
 * and with nothing that a database refuses as text (U+0000, half of a surrogate pair).
 * @param longest characters that are kept
 */
export function readable(words: string, longest: number = LONGEST): string {
  const short = words.length > longest ? `${words.slice(0, longest)}…` : words;
  return short.replace(LONE_SURROGATE, '\ufffd').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

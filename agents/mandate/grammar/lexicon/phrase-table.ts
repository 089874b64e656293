/** All combinations of one word from each part, in order. An empty word leaves its part out. */
export function each(...parts: readonly string[]): string {
  return parts
    .map((part) => part.split('|').map((word) => word.trim()))
    .reduce((all, next) => all.flatMap((head) => next.map((word) => `${head} ${word}`.trim())))
    .join(',');
}

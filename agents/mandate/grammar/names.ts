import type { Steps } from './steps.ts';

/** Finds where a name that begins at a place ends; null when none begins there. */
export type NameEnds = (at: number) => number | null;

const LABEL = /[0-9a-z-]/i;
const SUFFIX = /\.(?:eth|sol)(?![0-9a-z])/iy;
const MOST_LABEL = 63;
/** How many labels may come between the first and the ending: alice.eth has none, a.b.c.d.eth three. */
const MOST_BETWEEN = 3;

/**
 * Finds names such as `alice.eth` and `desk.harbour.sol`. One pass from the back finds the ends of all labels, so that
 * each query takes a few lookups, however long the text is.
 */
export function nameEnds(text: string, steps: Steps): NameEnds {
  const none: NameEnds = () => null;
  if (!/\.(?:eth|sol)/i.test(text)) return none;
  steps.take(2 * text.length);
  const ends = new Uint32Array(text.length + 1);
  ends[text.length] = text.length;
  for (let at = text.length - 1; at >= 0; at--) ends[at] = LABEL.test(text[at]!) ? ends[at + 1]! : at;
  return (at) => {
    steps.take(MOST_BETWEEN + 1);
    if (text[at] === '-') return null;
    let found: number | null = null;
    let label = at;
    for (let labels = 0; labels <= MOST_BETWEEN; labels++) {
      const end = ends[label]!;
      if (end === label || end - label > MOST_LABEL || text[end] !== '.') break;
      SUFFIX.lastIndex = end;
      if (SUFFIX.test(text)) found = SUFFIX.lastIndex;
      label = end + 1;
    }
    return found;
  };
}

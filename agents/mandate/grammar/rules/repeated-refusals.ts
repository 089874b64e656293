import type { Atom } from '../atom.ts';
import { isName } from '../atom-kinds.ts';
import type { Cursor } from '../cursor.ts';
import { isFullStop } from '../sentences.ts';

/**
 * True where a refusal goes on behind a comma that is followed by its preposition: "never with x.eth, with y.eth or with
 * z.eth". "Not with x.eth, with y.eth" may mean the contrary of the second, and "anything except wine, from x.eth or y.eth"
 * tells from whom.
 * @param led the refusal, and what leads from it to the first name
 * @param kind of the names that are refused before
 */
export function repeats(led: readonly Atom[], list: readonly Atom[], kind: string): boolean {
  if (
    led.some(({ text }) => /^(?:and |but )?not(?: to)?$/i.test(text)) ||
    !list.some((atom) => atom.kind === 'OR')
  )
    return false;
  const last = led.findLast(
    (atom) => !['ART', 'PER', 'MODIFIER', 'GEN', 'CHAINWORD', 'PARTYWORD'].includes(atom.kind),
  );
  const preposition = lastWordOf(last?.text ?? '');
  return list.every((atom) =>
    atom.kind === 'PREP' ? lastWordOf(atom.text) === preposition : !isName(atom) || atom.kind === kind,
  );
}

function lastWordOf(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1).toLowerCase();
}

const LISTED = new Set('PREP ART CATEGORY MODIFIER CHAIN CHAINWORD PARTY PARTYWORD SEP OR'.split(' '));
/** How many atoms ahead the "or" of a list may stand. */
const FARTHEST = 16;

/** What may belong to a list from here on: ", with y.eth or with z.eth". */
export function listAt(c: Cursor): readonly Atom[] {
  let to = c.at;
  while (to < c.at + FARTHEST && LISTED.has(c.atoms[to]?.kind ?? '') && !isFullStop(c.atoms[to]!)) to++;
  return c.atoms.slice(c.at, to);
}

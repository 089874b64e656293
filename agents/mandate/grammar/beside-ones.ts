import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';

const DETERMINERS = /^(?:of|the|my|our|these|those)$/;
const THINGS = ['CATEGORY', 'MODIFIER', 'ITEM'];

/** "Both digital products" are two of them, where "both art and wine" are two kinds. */
export function bothThings({ tokens, at, phraseAt }: Place): Known | null {
  const thingAt = (place: number) => {
    const said = phraseAt(place);
    return said !== null && (THINGS.includes(said.meaning.kind) || said.meaning.value === 'item')
      ? said
      : null;
  };
  let end = at + 1;
  while (DETERMINERS.test(tokens[end]?.key ?? '')) end++;
  const first = end;
  for (let said = thingAt(end); said !== null; said = thingAt(end)) end += said.length;
  if (end === first) return null;
  const kinds = ['and', '&', '+', 'plus'].includes(tokens[end]?.key ?? '') && thingAt(end + 1) !== null;
  return kinds ? null : known('UNKNOWN', 'both');
}

/** "Buy this car": one of them, where "this" in front of several says nothing. */
export function thisOne({ tokens, at, atoms, phraseAt }: Place): Known | null {
  const goods = phraseAt(at + 1);
  if (atoms.at(-1)?.kind !== 'VERB' || goods?.meaning.kind !== 'CATEGORY') return null;
  return /s$/.test(tokens[at + goods.length]!.key) ? null : known('ART');
}

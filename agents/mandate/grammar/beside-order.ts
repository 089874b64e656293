import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';

const AT_ONCE = /^at (?:once|the same time|any (?:one )?time)\b/;
const COUNTED = ['DEAL', 'ITEM'];
const LIMITS = ['LIMIT', 'ONLY', 'CAP'];

/** "Three deals at most at once": how many may be open together, where "start at once" is a time. */
export function openTogether({ tokens, at, atoms }: Place): Known | null {
  const words = tokens.slice(at, at + 4).map(({ key }) => key);
  const [said] = AT_ONCE.exec(words.join(' ')) ?? [];
  if (said === undefined) return null;
  const noun = LIMITS.includes(atoms.at(-1)?.kind ?? '') ? atoms.length - 2 : atoms.length - 1;
  const counted = COUNTED.includes(atoms[noun]?.kind ?? '') && atoms[noun - 1]?.kind === 'NUMBER';
  return counted ? known('UNKNOWN', said, said.split(' ').length) : null;
}

/**
 * "On Base. After that on Ethereum", "until 31 March 2027. After that, sell art": an order in time, which a mandate
 * cannot hold. "The check comes first; after that buy wine" says nothing.
 */
export function afterThat({ tokens, at, atoms, phraseAt }: Place): Known | null {
  if (!['that', 'this'].includes(tokens[at + 1]?.key ?? '')) return null;
  let next = at + 2;
  while ([',', 'only', 'also'].includes(tokens[next]?.key ?? '')) next++;
  const last = atoms.findLast(({ kind }) => kind !== 'SEP');
  const kind = phraseAt(next)?.meaning.kind ?? '';
  const named = (place: number) =>
    ['name', 'address'].includes(tokens[place]?.kind ?? '') ||
    ['CATEGORY', 'CHAIN'].includes(phraseAt(place)?.meaning.kind ?? '');
  const acts = kind === 'VERB' && last?.kind === 'DATE';
  return acts || named(next) || (kind === 'PREP' && named(next + 1))
    ? known('UNKNOWN', 'after that', 2)
    : null;
}

import type { Atom } from './atom.ts';
import type { Known } from './lexicon/lexicon.ts';
import { ends, known, type Place } from './place.ts';

/** "Run it past me", where "past 75 USDC" is an amount. */
export function pastOwner({ tokens, at, phraseAt }: Place): Known | null {
  const owner = ['me', 'us'].includes(tokens[at + 1]?.key ?? '');
  return owner && (ends(tokens[at + 2]) || phraseAt(at + 2)?.meaning.kind === 'ME')
    ? known('PREP', 'by')
    : null;
}

/** "500 USDC cap each deal": a limit behind its amount, where "cap each deal at 500 USDC" sets one. */
export function capBehind({ tokens, at, atoms, phraseAt }: Place): Known | null {
  const thing = ['DEAL', 'UNIT', 'ITEM'].includes(phraseAt(at + 2)?.meaning.kind ?? '');
  const said = atoms.at(-1)?.kind === 'MONEY' && tokens[at + 1]?.key === 'each';
  return said && thing && ends(tokens[at + 2 + phraseAt(at + 2)!.length]) ? known('CAP') : null;
}

/** "Bid at most five times": bids are no deals. */
const BIDS = /^(?:bids?|bidding|offers?|offering|pay|spend|ask)\b/i;

/** "Five times in total", "at most five times a day": so many deals, where "five times the price" is a multiple. */
export function timesCounted({ tokens, at, atoms, phraseAt }: Place): Known | null {
  const [number, led] = [atoms.at(-1), atoms.at(-2)];
  if (atoms.slice(-5).some(({ text }) => BIDS.test(text))) return null;
  const deed = led?.kind === 'LIMIT' ? atoms.at(-3) : led;
  if (number?.kind !== 'NUMBER' || ['MONEY', 'VERB', 'PREP'].includes(deed?.kind ?? '')) return null;
  const next = phraseAt(at + 1);
  const scoped = next?.meaning.kind === 'SCOPE' && ends(tokens[at + 1 + next.length]);
  const period =
    ['ART', 'PER'].includes(next?.meaning.kind ?? '') &&
    phraseAt(at + 2)?.meaning.kind === 'UNIT' &&
    ends(tokens[at + 3]);
  const limited = led?.kind === 'LIMIT' && ends(tokens[at + 1]);
  return scoped || period || limited ? known('DEAL', 'deal') : null;
}

/** "Just don't go over 20 USDC": in front of what is forbidden the word says no more. */
export function justForbids({ at, atoms, phraseAt }: Place): Known | null {
  const next = phraseAt(at + 1)?.meaning.kind ?? '';
  return opens(atoms) && ['NEG', 'DENY'].includes(next) ? known('FILL') : null;
}

/** "It may not act before 15 March": the deed of which the date is said. */
export function actsWhen({ tokens, at, atoms }: Place): Known | null {
  const when = ['before', 'after', 'prior', 'until'].includes(tokens[at + 1]?.key ?? '');
  return atoms.at(-1)?.kind === 'NEG' && when ? known('FILL') : null;
}

function opens(atoms: readonly Atom[]): boolean {
  return atoms.length === 0 || atoms.at(-1)!.kind === 'SEP';
}

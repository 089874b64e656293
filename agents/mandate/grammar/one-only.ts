import type { Atom } from './atom.ts';
import { HORIZON } from './clauses.ts';
import type { Fact } from './facts.ts';
import { isOne } from './rules/phrases.ts';

const THINGS = ['CATEGORY', 'ITEM', 'DEAL', 'GEN'];
const REFUSING = ['NEG', 'DENY', 'EXCEPT', 'OFF', 'ABOVE'];

/** True for the words of "a single car", and not of "a given day". */
export function isLone({ kind, text }: Atom): boolean {
  return kind === 'SINGLE' && /^(?:single|sole|lone)$/i.test(text);
}

/** The place of "one" or "a single" at `at`, where it says how many things are bought or sold; -1 elsewhere. */
export function loneAt(atoms: readonly Atom[], at: number): number {
  return deals(atoms[at - 1]) ? subjectAt(atoms, at)[0] : -1;
}

function deals(verb: Atom | undefined): boolean {
  return verb?.kind === 'VERB' && verb.value !== 'spend' && !/^(?:pay|bid)/i.test(verb.text);
}

function behindAdjectives(atoms: readonly Atom[], place: number): number {
  let at = place + 1;
  while (['SINGLE', 'MODIFIER'].includes(atoms[at]?.kind ?? '')) at++;
  return at;
}

/**
 * "Sell a single painting …", "wine, a single case at …", "one painting is to be sold": there is to be one, whatever
 * else the clause says, unless it forbids.
 */
export function onesNamed(atoms: readonly Atom[]): Fact[] {
  return atoms.flatMap((_, at): Fact[] => {
    const place = Math.max(
      loneAt(atoms, at),
      pronounAt(atoms, at),
      besideGoods(atoms, at),
      passiveAt(atoms, at),
    );
    const piece = pieceAt(atoms, at);
    if ((place === -1 && piece === null) || refusedBefore(atoms, at)) return [];
    if (piece !== null) return [{ fact: 'one', words: piece }];
    const thing = atoms[behindAdjectives(atoms, place)];
    return [{ fact: 'one', words: THINGS.includes(thing?.kind ?? '') ? thing!.text : 'thing' }];
  });
}

/** "Sell one at 950 USDC or more". */
function pronounAt(atoms: readonly Atom[], at: number): number {
  if (!deals(atoms[at - 1])) return -1;
  const place = atoms[at]?.kind === 'ART' && isLone(atoms[at + 1] ?? atoms[at]!) ? at + 2 : at;
  return isOne(atoms[place]) && ['PREP', 'SEP', 'MINIMUM'].includes(atoms[place + 1]?.kind ?? 'SEP')
    ? place
    : -1;
}

/** "Buy wine, a single case at 90 USDC or less". */
function besideGoods(atoms: readonly Atom[], at: number): number {
  if (atoms[at - 1]?.kind !== 'SEP' || atoms[at - 2]?.kind !== 'CATEGORY') return -1;
  const [place, noun] = subjectAt(atoms, at);
  // "Single lots of at most 90 USDC" are several.
  if (place === at && isLone(atoms[at]!)) return -1;
  const [led, amount] = [atoms[noun + 1], atoms[noun + 2]?.kind ?? ''];
  return place !== -1 && led?.kind === 'PREP' && ['MONEY', 'LIMIT', 'MINIMUM'].includes(amount) ? place : -1;
}

/** "One painting is to be sold for at least 950 USDC". */
function passiveAt(atoms: readonly Atom[], at: number): number {
  if (at > 0 && atoms[at - 1]!.kind !== 'SEP') return -1;
  const [place, noun] = subjectAt(atoms, at);
  return place !== -1 && ['SOLD', 'BOUGHT'].includes(atoms[noun + 1]?.kind ?? '') ? place : -1;
}

/** "Buy a pair of shoes", "just a copy of software", "a piece of furniture, at most …", "sell a lot at …": its noun. */
function pieceAt(atoms: readonly Atom[], at: number): string | null {
  const article = atoms[at]?.kind === 'ART';
  const noun = atoms[at]?.kind === 'SCOPE' ? at : behindAdjectives(atoms, article ? at : at - 1);
  const thing = atoms[noun];
  if (thing === undefined) return null;
  const limited = ['ONLY', 'LIMIT'].includes(atoms[at - 1]?.kind ?? '');
  const piece = thing.kind === 'SCOPE' ? A_PIECE.exec(thing.text)?.[1] : thing.text;
  const pieces = ['DEAL', 'ITEM', 'SCOPE'].includes(thing.kind) || /^set$/i.test(thing.text);
  if (piece === undefined || !(pieces ? !/s$/i.test(piece) : limited && article && thing.kind === 'CATEGORY'))
    return null;
  const goods = behindAdjectives(atoms, noun + 1);
  const some = /^of$/i.test(atoms[noun + 1]?.text ?? '') && atoms[goods]?.kind === 'CATEGORY';
  let before = at - 1;
  while (['ONLY', 'LIMIT'].includes(atoms[before]?.kind ?? '')) before--;
  const into = /^(?:in|to)$/i.test(atoms[before]?.text ?? '') && atoms[before - 1]?.kind === 'VERB';
  if (deals(atoms[before]) || into)
    return some || !pieces || (article && thing.value === 'item') ? piece : null;
  const ends = ['SEP', undefined];
  return some &&
    thing.kind !== 'ITEM' &&
    ends.includes(atoms[at - 1]?.kind) &&
    ends.includes(atoms[goods + 1]?.kind)
    ? piece
    : null;
}

const A_PIECE = /^an? (\w+)$/i;

/** The places of "one" or "a single", and of the noun behind; -1 where they do not stand. */
function subjectAt(atoms: readonly Atom[], at: number): readonly [number, number] {
  const any = atoms[at]?.kind === 'PER' && /^any$/i.test(atoms[at]!.text);
  const place = any || atoms[at]?.kind === 'ART' ? at + 1 : at;
  const lone = atoms[place];
  if (lone === undefined || !(isLone(lone) || (isOne(lone) && (any || place === at)))) return [-1, -1];
  const noun = behindAdjectives(atoms, place);
  return THINGS.includes(atoms[noun]?.kind ?? '') ? [place, noun] : [-1, -1];
}

function refusedBefore(atoms: readonly Atom[], at: number): boolean {
  const first = Math.max(0, at - HORIZON);
  for (let i = at - 1; i >= first && atoms[i]!.kind !== 'SEP'; i--)
    if (REFUSING.includes(atoms[i]!.kind)) return true;
  return false;
}

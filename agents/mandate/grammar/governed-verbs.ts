import type { Atom } from './atom.ts';
import { wants } from './facts.ts';
import { endsSentence } from './sentences.ts';
import type { Said, Standing } from './standing.ts';

/** "Don't trade on Base and buy from x.eth", "avoid buying music and trading on Base": the refusal goes on to the verb. */
export function isGoverned(
  atoms: readonly Atom[],
  { refusal, refused, last }: Standing,
  { at, to, facts }: Said,
  verb: Atom,
): boolean {
  const gap = between(atoms, last, at);
  if (refusal === undefined) return false;
  if (NOUNS.test(verb.text)) return true;
  if (gap.some(endsSentence) && gap.every(({ kind }) => kind !== 'OR')) return false;
  const parts = atoms.slice(refusal.at, refusal.to);
  const head = parts.find(({ kind }) => kind === 'NEG');
  if (head === undefined || NOUNS_ONLY.test(head.text)) return false;
  if (gap.some(isJoint)) return true;
  const own = parts.some((atom) => isVerb(atom));
  // "Never buy travel, buy wine", where a third of them would make it a list.
  const contrary = [...refused].some((kind) => wants(facts, kind)) && last === refusal;
  return own && (!contrary || beginsVerb(atoms, to));
}

/** ", or buy", ", trade". */
function beginsVerb(atoms: readonly Atom[], from: number): boolean {
  let at = from;
  while (atoms[at] !== undefined && !endsSentence(atoms[at]!) && ['SEP', 'OR'].includes(atoms[at]!.kind))
    at++;
  return at > from && atoms[at] !== undefined && isVerb(atoms[at]!);
}

/** "Refuse music; purchases of wine": these are no commands. */
const NOUNS = /^(?:\w+ing|purchases|acquisitions|sales|trades)\b/i;

/** These refuse nouns, and no verb behind them. */
const NOUNS_ONLY = /^(?:and |but )?(?:no|not|nothing|none|neither|nobody|no one|nowhere)\b/i;

/** What stands between a clause and the first word of the next. */
export function between(atoms: readonly Atom[], last: Said | undefined, at: number): readonly Atom[] {
  let to = at;
  while (JOINING.has(atoms[to]?.kind ?? '')) to++;
  return atoms.slice(last?.to ?? 0, to);
}

const JOINING = new Set(['SEP', 'OR']);

/** The verb of a clause. A noun such as "deals" is none. */
export function verbOf(parts: readonly Atom[]): Atom | undefined {
  const first = parts.find(({ kind }) => kind !== 'SEP');
  return (
    parts.find(({ kind }) => ACTING.has(kind)) ?? (first !== undefined && isVerb(first) ? first : undefined)
  );
}

const ACTING = new Set(['VERB', 'BOUGHT', 'SOLD']);
const COMMANDS = /^(?:deal|trade|transact|do business|interact)(?: (?:with|in|on))?$/i;

function isVerb({ kind, text }: Atom): boolean {
  return ACTING.has(kind) || (kind === 'DEAL' && COMMANDS.test(text));
}

/** "And", "or": what joins a name or a verb to those before it. */
export function isJoint({ kind, text }: Atom): boolean {
  return kind === 'OR' || /^(?:and|&|\+)$/i.test(text);
}

/** "As well as", "also", "plus": what adds a name to those before it, by any word but one that turns. */
export function adds(atom: Atom): boolean {
  return isJoint(atom) || (atom.kind === 'SEP' && /^[a-z]/i.test(atom.text) && !turns(atom));
}

/** "Never on Base, but on Polygon". */
export function turns({ text }: Atom): boolean {
  return /^(?:but|yet|however)$/i.test(text);
}

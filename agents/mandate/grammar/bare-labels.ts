import type { Known } from './lexicon/lexicon.ts';
import { begins, ends, known, type Place } from './place.ts';
import { lastSentence } from './sentences.ts';

/** "Scope digital products": a label without a colon. */
export function scopeLabel({ atoms, at, phraseAt }: Place): Known | null {
  const next = phraseAt(at + 1)?.meaning.kind ?? '';
  return begins(atoms) && ['CATEGORY', 'MODIFIER'].includes(next) ? known('GEN') : null;
}

/** "Close 1 July 2027", where "close to 1 July" is no date. */
export function closeOn({ atoms, tokens, at }: Place): Known | null {
  const next = tokens[at + 1]?.kind;
  const opens = begins(atoms) || (atoms.at(-1)?.kind === 'SEP' && atoms.at(-1)!.value === ',');
  return opens && (next === 'date' || next === 'number' || next === 'ordinal') ? known('ENDS') : null;
}

/** "Long coins": how traders buy, where "long bonds" run for many years. */
export function long({ atoms, at, phraseAt }: Place): Known | null {
  const goods = phraseAt(at + 1)?.meaning;
  const bought = goods?.kind === 'CATEGORY' && goods.value !== 'tokenized-debt-and-finance';
  return begins(atoms) && bought ? known('VERB', 'buy') : null;
}

/** "PX <= 95% of market", "QTY max 4 deals a day": labels without a colon. */
export function traderLabel({ tokens, at }: Place): Known | null {
  return ['<=', '<', '≤', 'max', 'min', 'cap', 'limit'].includes(tokens[at + 1]?.key ?? '')
    ? known('FILL')
    : null;
}

/** "Side buy": a label without a colon. */
export function sideLabel({ atoms, at, phraseAt }: Place): Known | null {
  return begins(atoms) && phraseAt(at + 1)?.meaning.kind === 'VERB' ? known('FILL') : null;
}

/** "Base: yes. Solana: no." */
export function marked(kind: string): (place: Place) => Known | null {
  return ({ atoms, tokens, at }) => {
    const [sign, name] = [atoms.at(-1), atoms.at(-2)];
    const led = sign?.kind === 'SEP' && sign.value === ':' && MARKABLE.has(name?.kind ?? '');
    return led && ends(tokens[at + 1]) ? known(kind) : null;
  };
}

const MARKABLE = new Set(['CATEGORY', 'CHAIN', 'PARTY', 'ANY', 'ELSEWHERE']);

/** How many atoms back the sentence may begin. */
const HORIZON = 32;

/** "Or leave it", "or pass" behind a limit: what keeping to it means anyway. Behind who is asked it says more. */
export function orNot({ atoms, tokens, at }: Place): Known | null {
  const said = LEAVING.find((words) => words.every((word, i) => tokens[at + 1 + i]?.key === word));
  if (said === undefined || !ends(tokens[at + 1 + said.length])) return null;
  const near = atoms.slice(-HORIZON);
  const clause = lastSentence(near);
  const limits = clause.some(({ kind }) => ['MONEY', 'MARKET'].includes(kind));
  const more = clause.some(({ kind }) =>
    ['ASK', 'APPROVAL', 'COND', 'WITHOUT', 'CHECK', 'TELL'].includes(kind),
  );
  return limits && !more ? known('FILL', '', 1 + said.length) : null;
}

const LEAVING = [
  'leave it',
  'leave them',
  'leave it be',
  'pass',
  'skip',
  'skip it',
  'walk away',
  'walk',
  'no deal',
  'nothing',
]
  .map((words) => words.split(' '))
  .sort((a, b) => b.length - a.length);

/** "Notional/deal max 45 USDC": the size of a deal, where "90% of notional" is of a debt. */
export function notional({ tokens, at, atoms }: Place): Known | null {
  const opens = begins(atoms) || (atoms.at(-1)?.kind === 'SEP' && atoms.at(-1)!.value === ',');
  return opens && ['/', 'per', ':', 'max', 'cap'].includes(tokens[at + 1]?.key ?? '') ? known('KEEP') : null;
}

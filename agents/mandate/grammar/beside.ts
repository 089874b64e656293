import { closeOn, long, marked, notional, orNot, scopeLabel, sideLabel, traderLabel } from './bare-labels.ts';
import { ownAddress } from './beside-addresses.ts';
import { agentNamed } from './beside-agents.ts';
import { closing } from './beside-closing.ts';
import {
  afterWhich,
  belowWhich,
  byAgent,
  goodDay,
  sameCheck,
  soldAgain,
  such,
  theOne,
  untilSpent,
  whenPriced,
} from './beside-formal.ts';
import { mayMonth } from './beside-months.ts';
import { always, nor, permitted } from './beside-names.ts';
import { bothThings, thisOne } from './beside-ones.ts';
import { afterThat, openTogether } from './beside-order.ts';
import { closesDeal, itsLimit, SPOKEN } from './beside-spoken.ts';
import type { Known } from './lexicon/lexicon.ts';
import { amountAt, begins, ends, known, type Place } from './place.ts';

/** The meaning of a word that depends on what stands beside it; null where the lexicon's counts. */
export function besideOthers(place: Place): Known | null {
  return BY_WORD.get(place.tokens[place.at]!.key)?.(place) ?? null;
}

/** "500 USDC per deal in bonds": behind "per" the word is a noun, and not the beginning of the verb "deal in". */
function noun(to: Known): (place: Place) => Known | null {
  return ({ atoms, tokens, at }) => {
    const before = atoms.at(-1);
    const led =
      ['PER', 'ART', 'SINGLE'].includes(before?.kind ?? '') ||
      /^(?:no|not one|not a single)$/i.test(before?.text ?? '');
    if (!led) return null;
    return tokens[at]!.key === 'deal' && before?.kind === 'NEG' ? null : to;
  };
}

/** "One deal in total", where "deal in" would be a verb. */
function oneDeal({ atoms }: Place): Known | null {
  const before = atoms.at(-1);
  return before?.kind === 'NUMBER' && before.micro === 1_000_000n ? known('DEAL', 'deal') : null;
}

/** "If a deal tops 500 USDC": what it goes above, where "a deal, tops" is its limit. */
function tops(place: Place): Known | null {
  const subject = place.atoms.at(-1)?.kind === 'DEAL' || place.atoms.at(-1)?.kind === 'KEEP';
  const asked = place.atoms.slice(-6).some(({ kind }) => kind === 'COND' || kind === 'ONCE');
  return (subject || asked) && asked && amountAt(place, place.at + 1) ? known('ABOVE') : null;
}

/** "Approval > 300 USDC", where an arrow points at anything. */
function greater(place: Place): Known | null {
  return !place.tokens[place.at]!.tight && amountAt(place, place.at + 1) ? known('ABOVE') : null;
}

/** "Keep it to Base", where "keep it to 300 USDC" is a limit. */
function keepTo({ tokens, at, phraseAt }: Place): Known | null {
  const said = phraseAt(at);
  const next = said === null ? undefined : tokens[at + said.length];
  const place = next !== undefined && phraseAt(at + said!.length)?.meaning.kind === 'CHAIN';
  return said?.meaning.kind === 'LIMIT' && place ? known('ONLY', '', said.length) : null;
}

/** "All in USDC": every amount, where "all in" is everything together. */
function allIn({ tokens, at, phraseAt }: Place): Known | null {
  const currency = phraseAt(at + 2)?.meaning.kind === 'CURRENCY';
  return tokens[at + 1]?.key === 'in' && currency ? known('MONEYWORD') : null;
}

/** "3 buys a day", "no single buy": behind a number or "single" the word is a noun. */
function counted(to: Known): (place: Place) => Known | null {
  return ({ atoms }) => (['NUMBER', 'SINGLE'].includes(atoms.at(-1)?.kind ?? '') ? to : null);
}

/** "Or more than 300 USDC" begins another limit, where "300 USDC or more" ends one. */
function or({ atoms, tokens, at }: Place): Known | null {
  // "3.49 USDC or up", and not "or up to the agent".
  const up = ['up', 'over', 'north'].includes(tokens[at + 1]?.key ?? '') && ends(tokens[at + 2]);
  if (up && ['MONEY', 'PER'].includes(atoms.at(-1)?.kind ?? '')) return known('MINIMUM', '', 2);
  const [word, after] = [tokens[at + 1]?.key ?? '', tokens[at + 2]];
  const than = /^(?:more|less|higher|lower)$/.test(word) && after?.key === 'than';
  const figure =
    /^(?:over|above|under|below)$/.test(word) && (after?.kind === 'number' || after?.key === '$');
  return than || figure ? known('OR') : null;
}

/** "Purchases of 15,000 USDC or smaller": of a size, where "purchases of art" buys. */
function sized(place: Place): Known | null {
  const { tokens, at } = place;
  return tokens[at + 1]?.key === 'of' && amountAt(place, at + 2) ? known('DEAL', 'buy') : null;
}

/** "It's over 200 USDC": in front of an amount nothing ends. */
function over(place: Place): Known | null {
  const { tokens, at, phraseAt } = place;
  const said = phraseAt(at);
  if (said?.meaning.kind !== 'ENDS' || tokens[at + said.length - 1]!.key !== 'over') return null;
  return said.length > 1 && amountAt(place, at + said.length) ? known('FILL', '', said.length - 1) : null;
}

/** "Need vintage cameras", where "need the wallet check" asks for a check. */
function need({ atoms, at, phraseAt }: Place): Known | null {
  if (!begins(atoms)) return null;
  let next = at + 1;
  while (next < at + 4 && ['FILL', 'MODIFIER', 'HEDGE'].includes(phraseAt(next)?.meaning.kind ?? '')) next++;
  const goods = ['CATEGORY', 'ITEM'].includes(phraseAt(next)?.meaning.kind ?? '');
  return goods ? known('VERB', 'buy') : null;
}

/** "Let it be a vintage car", where "let it be" by itself leaves something alone. */
function letItBe({ tokens, at }: Place): Known | null {
  const [it, be, article] = [1, 2, 3].map((i) => tokens[at + i]?.key ?? '');
  return it === 'it' && be === 'be' && (article === 'a' || article === 'an') ? known('VERB', 'buy', 3) : null;
}

/** "Category: any." */
function anyGoods({ atoms, tokens, at }: Place): Known | null {
  const [mark, label] = [atoms.at(-1), atoms.at(-2)];
  const led = mark?.kind === 'SEP' && mark.value === ':' && label?.kind === 'GEN';
  return led && ends(tokens[at + 1]) ? known('ANY') : null;
}

/** "Any, minus travel", "anything minus travel". */
function minus({ atoms, at, phraseAt }: Place): Known | null {
  const last = atoms.at(-1)?.kind === 'SEP' ? atoms.at(-2) : atoms.at(-1);
  const goods = ['CATEGORY', 'CHAIN'].includes(phraseAt(at + 1)?.meaning.kind ?? '');
  return last?.kind === 'ANY' && goods ? known('EXCEPT') : null;
}

/** "Buy whatever you like" names goods, where "pay whatever you like" names amounts. */
function whatever({ atoms, at, phraseAt }: Place): Known | null {
  const said = phraseAt(at);
  const verb = atoms.at(-1);
  const buys = verb?.kind === 'VERB' && /^(?:buy|purchase|acquire|trade|sell|get)$/i.test(verb.text);
  return buys && said?.meaning.kind === 'NOCAP' ? known('ANY', '', said.length) : null;
}

/** "Hard stop 6,000 USDC per deal". */
function hardStop(place: Place): Known | null {
  const { tokens, at } = place;
  return tokens[at + 1]?.key === 'stop' && amountAt(place, at + 2) ? known('CAP', '', 2) : null;
}

/** "Sell off my clearance stock": no clearance of mine, where it begins the name of goods. */
function my({ at, phraseAt }: Place): Known | null {
  const [said, goods] = [phraseAt(at), phraseAt(at + 1)];
  const longer = goods?.meaning.kind === 'CATEGORY' && goods.length >= (said?.length ?? 0);
  return said?.meaning.kind === 'APPROVAL' && longer ? known('FILL') : null;
}

/** "12 USDC and up": behind an amount, and with nothing behind it. */
function andUp({ atoms, tokens, at }: Place): Known | null {
  const up = ['up', 'over', 'upwards'].includes(tokens[at + 1]?.key ?? '');
  return up &&
    atoms.at(-1)?.kind === 'MONEY' &&
    (ends(tokens[at + 2]) || ['each', 'apiece'].includes(tokens[at + 2]!.key))
    ? known('MINIMUM', '', 2)
    : null;
}

/**
 * "Stamps and coins": of a pair the second word stays what may be money, and is asked about. Elsewhere coins are goods.
 */
function coins({ atoms }: Place): Known | null {
  const [and, goods] = [atoms.at(-1), atoms.at(-2)];
  return and?.kind === 'SEP' && and.text.toLowerCase() === 'and' && goods?.kind === 'CATEGORY'
    ? known('CURRENCY', 'other')
    : null;
}

/** "40 USDC the whole case": of one thing, where "40 USDC the whole" is of all. */
function theWhole({ at, phraseAt }: Place): Known | null {
  const said = phraseAt(at);
  const thing = ['ITEM', 'CATEGORY', 'DEAL'].includes(phraseAt(at + 2)?.meaning.kind ?? '');
  return said?.meaning.kind === 'SCOPE' && said.length === 2 && thing ? known('UNKNOWN', 'whole', 2) : null;
}

const BY_WORD: ReadonlyMap<string, (place: Place) => Known | null> = new Map([
  ['or', (place) => or(place) ?? orNot(place)],
  ['scope', scopeLabel],
  ['universe', scopeLabel],
  ['side', sideLabel],
  ['nor', nor],
  ['always', always],
  ['close', (place) => closeOn(place) ?? closesDeal(place)],
  ['long', long],
  ['px', traderLabel],
  ['qty', traderLabel],
  ['purchases', sized],
  ['acquisitions', sized],
  ['yes', marked('ALLOWED')],
  ['ok', (place) => marked('ALLOWED')(place) ?? permitted(place)],
  ['no', marked('OFF')],
  ['notional', notional],
  ['size', notional],
  ['deal', (place) => noun(known('DEAL', 'deal'))(place) ?? oneDeal(place)],
  ['tops', tops],
  ['>', greater],
  ['keep', keepTo],
  ['goes', counted(known('DEAL', 'deal'))],
  ['all', (place) => allIn(place) ?? permitted(place)],
  ['purchase', noun(known('DEAL', 'buy'))],
  ['bid', noun(known('DEAL', 'buy'))],
  ['trade', noun(known('DEAL', 'item'))],
  ['book', noun(known('DEAL', 'item'))],
  ['buys', counted(known('DEAL', 'buy'))],
  ['buy', counted(known('DEAL', 'buy'))],
  ['sells', counted(known('DEAL', 'sell'))],
  ['it', (place) => soldAgain(place) ?? over(place) ?? itsLimit(place)],
  ["it's", over],
  ['they', (place) => soldAgain(place) ?? over(place)],
  ['need', need],
  ['needs', need],
  ['want', need],
  ['and', (place) => closing(place) ?? andUp(place)],
  ['my', my],
  ['our', my],
  ['this', thisOne],
  ['that', (place) => closing(place) ?? thisOne(place)],
  ["that's", closing],
  ['then', closing],
  ['let', letItBe],
  ['the', (place) => (place.tokens[place.at + 1]?.key === 'whole' ? theWhole(place) : theOne(place))],
  ['such', such],
  ['good', goodDay],
  ['until', untilSpent],
  ['by', byAgent],
  ['after', (place) => afterWhich(place) ?? afterThat(place)],
  ['at', openTogether],
  ['when', whenPriced],
  ['check', sameCheck],
  ['scan', sameCheck],
  ['below', belowWhich],
  ['any', anyGoods],
  ['minus', minus],
  ['may', mayMonth],
  ['whatever', whatever],
  ['hard', hardStop],
  ['coins', coins],
  ['agent', agentNamed],
  ['agents', agentNamed],
  ['both', bothThings],
  ...['wallet', 'wallets', 'address', 'addresses', 'account', 'accounts'].map(
    (word) => [word, ownAddress] as const,
  ),
  ...['fine', 'okay', 'alright', 'will', 'you'].map((word) => [word, permitted] as const),
  ...SPOKEN,
]);

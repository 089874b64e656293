import type { Category } from '../../../categories.ts';
import { amountOf, type Fact, type Scope } from '../facts.ts';
import { onesNamed } from '../one-only.ts';
import { WIDENS } from '../rules/everything-rules.ts';
import { isOne } from '../rules/phrases.ts';
import { approval, runs } from './approval-frame.ts';
import { AROUND, type Bag, type Context, joinedBy, kindsOf, sellsIn, wordOf } from './bag.ts';
import { namesAll } from './nouns.ts';
import { scopesOf } from './scopes.ts';

const CAPPING = kindsOf(
  `${AROUND} SCOPE_NONE LIMIT UNDER ABOVE CAP BUDGET NEG DENY OFF HALT LEAVE TOOMUCH COND THEN ONLY ME CHAIN CHAINWORD`,
);
const LEAST = kindsOf(
  `${AROUND} PARTYWORD ASK SCOPE_NONE MINIMUM UNDER NEG DENY OFF HALT LEAVE TOOMUCH TOOLITTLE COND THEN ME`,
);

const PREPOSITIONS = new Set([
  'of',
  'in',
  'on',
  'for',
  'to',
  'at',
  'with',
  'as',
  'into',
  'towards',
  'worth',
  'use',
  'using',
]);
/** What stands between the owner and what is asked for: "run it by me", "approval from us". */
const ASKED_BY = new Set([...PREPOSITIONS, 'by', 'from']);
const SEPARATORS = new Set([':', '-', '(', ')', ',']);
const REFUSING = ['DENY', 'OFF', 'HALT', 'LEAVE', 'TOOMUCH'];
const CONDITIONS = /^(?:if|when|whenever|where|should)$/i;

/** Reads a clause about one amount of money: a cap, a lowest price, or the amount from which the owner is asked. */
export function amountFrame(bag: Bag, context: Context): Fact[] | null {
  if (!namesAll(context.nouns, bag.atoms)) return null;
  const asks = bag.has('ASK', 'APPROVAL', 'WITHOUT') || runs(bag);
  // "From 120 USDC a lot upwards".
  const upwards = /upwards?$/.test(bag.words('MINIMUM'));
  if (bag.count('MONEY') !== 1 || !joinedBy(bag, asks || upwards ? ASKED_BY : PREPOSITIONS, SEPARATORS))
    return null;
  if (bag.all('NUMBER').some((atom) => !isOne(atom)) || conditioned(bag)) return null;
  if (bag.all('COND').some(({ text }) => !CONDITIONS.test(text)) || bag.count('COND') > 1) return null;
  // "On Base, then on Ethereum, 50 USDC each": an order in time.
  if (bag.has('THEN') && bag.has('CHAIN')) return null;
  if (bag.all('SEP').filter((atom) => wordOf(atom) === ',').length > 2) return null;
  // "Ask at least 12 USDC apiece": of buyers.
  const offered =
    (context.sells || (whenSold(bag) && !OF_OWNER.test(bag.words('ASK')))) &&
    bag.has('MINIMUM') &&
    !bag.has('ME', 'APPROVAL', 'WITHOUT');
  if (asks && !offered) return approval(bag);
  if (context.before?.kind === 'OR') return cap(bag, context);
  return cap(bag, context) ?? lowest(bag, context);
}

const OF_OWNER = /\b(?:me|us|my|our)\b/;

/** "Ask for at least 12 USDC when you sell": of buyers; nothing stands behind it. */
function whenSold({ atoms }: Bag): boolean {
  const [when, verb] = atoms.slice(-2);
  return /^when(?:ever)?$/i.test(when?.text ?? '') && verb?.kind === 'VERB' && verb.value === 'sell';
}

/** "As long as it has room, at most 500 USDC": a condition beside the amount, and none of the amount. */
function conditioned(bag: Bag): boolean {
  return bag.atoms.some(({ kind, text }, at) => {
    if (
      kind !== 'REQUIRE' ||
      !/^(?:as|so) long as|^provided|^subject to|^(?:up)?on (?:the )?condition/i.test(text)
    )
      return false;
    const rest = bag.atoms.slice(at + 1);
    const comma = rest.findIndex((atom) => atom.kind === 'SEP');
    const said = comma === -1 ? rest : rest.slice(0, comma);
    return !said.some((atom) =>
      ['MONEY', 'LIMIT', 'UNDER', 'ABOVE', 'NEG', 'APPROVAL', 'ASK'].includes(atom.kind),
    );
  });
}

function cap(bag: Bag, { sells: selling, before, nouns, denied }: Context): Fact[] | null {
  if (!bag.only(CAPPING) || sellsIn(bag) || !alone(bag) || takesIn(bag) || countsOne(bag)) return null;
  // "Never over 500 USDC per deal or over 2,000 USDC a week".
  const on = before?.kind === 'OR' && !bag.has('NEG') ? 1 : 0;
  const [neg, refused, above] = [bag.count('NEG') + on, bag.count(...REFUSING), bag.count('ABOVE')];
  if (above === 1) {
    if (bag.has('UNDER') || neg + refused !== 1 || !bag.before('ABOVE', 'MONEY')) return null;
    if (bag.has('LIMIT', 'BUDGET')) return null;
    if (neg === 1 && on === 0 && !bag.before('NEG', 'ABOVE')) return null;
    if (neg === 1 && bag.has('COND')) return null;
  } else if (above > 1 || bag.count('NEG') + refused > 0) return null;
  else if (bag.has('COND') && !(bag.has('LIMIT', 'UNDER') && bag.has('VERB', 'KEEP'))) return null;
  const scoped = scopesOf(bag, nouns);
  if (scoped === null) return null;
  const scope = oneScope(bag, scoped.said, scoped.thing || bag.has('COND'));
  if (scope === null) return null;
  const limited = bag.has('LIMIT', 'UNDER', 'ABOVE', 'CAP', 'BUDGET');
  // "Never touch travel, any debt, 300 USDC each" goes on with what is denied.
  if (denied && scoped.goods.length > 0 && above === 0 && !bag.has('VERB')) return null;
  // "Sell art, 500 USDC each" may be a price to ask for.
  if (selling && !limited) return null;
  const goods = scoped.goods.length === 0 ? null : scoped.goods;
  const chains = bag.has('CHAIN') ? [...new Set(bag.all('CHAIN').map(({ value }) => value))].sort() : null;
  if (chains !== null && (above === 1 || bag.has('REQUIRE', 'COND'))) return null;
  const fact: Fact = {
    fact: 'cap',
    scope,
    amount: amountOf(bag.all('MONEY')[0]!),
    goods: above === 1 ? null : goods,
    chains,
    limited,
    apiece: true,
  };
  return [
    fact,
    // "Everything else may be bought within 120 USDC" would widen a list of goods.
    ...(bag.all('ANY').some(({ text }) => WIDENS.test(text))
      ? [{ fact: 'anything', elsewhere: false } as const]
      : []),
    ...(goods === null ? [] : about(bag, goods, above === 1)),
    ...(chains === null ? [] : [{ fact: 'chains', deny: false, list: chains, only: false } as const]),
  ];
}

/** The one scope of a cap. A day and a total together mean the day, as in "the daily total". */
function oneScope(bag: Bag, said: readonly Scope[], thing: boolean): Scope | null {
  const windows = said.filter((scope) => scope !== 'total' && scope !== 'deal');
  if (windows.length > 1) return null;
  if (windows.length === 1) return said.includes('deal') ? null : windows[0]!;
  if (said.length > 1) return null;
  if (said.length === 1) return said[0]!;
  if (thing) return 'deal';
  // "I have 600 USDC to spend".
  const holds =
    /\b(?:have|has|got)\b/i.test(bag.words('KEEP')) && bag.all('VERB').some(({ value }) => value === 'spend');
  // "I have 3,000 USDC for wine".
  const kept =
    /\b(?:have|has|got)$/i.test(bag.words('KEEP')) &&
    bag.atoms.some(
      ({ kind, text }, at) => kind === 'PREP' && /^for$/i.test(text) && bag.kindAt(at - 1) === 'MONEY',
    );
  return bag.has('BUDGET') || holds || kept ? 'total' : null;
}

/** A limit on some goods. What is refused above it says nothing of what may be bought otherwise. */
function about(bag: Bag, goods: readonly Category[], refused: boolean): Fact[] {
  const words = bag.all('CATEGORY')[0]!.text;
  const verb = bag.all('VERB').find(({ text }) => !/^pay/i.test(text));
  // "Buy pallets, provided no pallet costs over 500 USDC".
  const bound = bag.at('NEG', 'DENY', 'OFF', 'HALT', 'LEAVE', 'COND', 'ABOVE');
  const named =
    verb !== undefined && bag.atoms.indexOf(verb) < bag.at('CATEGORY') && bag.at('CATEGORY') < bound;
  if (refused && !named) return [{ fact: 'holds-for', goods, words }];
  const bought: Fact[] =
    verb === undefined
      ? []
      : [{ fact: 'side', side: 'buy', spends: verb.value === 'spend', bare: false, goods }];
  return [...bought, { fact: 'goods', deny: false, list: goods, side: null, only: false }];
}

function lowest(bag: Bag, { after }: Context): Fact[] | null {
  // "…, at least until 31 January" is said of the date.
  if (bag.atoms.at(-1)?.kind === 'MINIMUM' && ['UNTIL', 'ENDS', 'DATE'].includes(after?.kind ?? ''))
    return null;
  if (!bag.only(LEAST) || bag.has('LIMIT', 'CAP')) return null;
  // "Sell one painting for at least 950 USDC": how many there may be is read by itself.
  if (onesNamed(bag.atoms).length > 0) return null;
  const [neg, refused] = [bag.count('NEG'), bag.count(...REFUSING, 'TOOLITTLE')];
  // "Anything below 120 USDC is a no", and not "is too expensive".
  if (!bag.all('TOOMUCH').every(({ text }) => / a no$/i.test(text))) return null;
  if (bag.count('MINIMUM') + bag.count('UNDER') !== 1) return null;
  if (bag.has('MINIMUM') ? neg + refused > 0 : neg + refused !== 1) return null;
  if (bag.has('UNDER') && !bag.before('UNDER', 'MONEY')) return null;
  if (neg === 1 && !bag.before('NEG', 'UNDER')) return null;
  if (bag.all('VERB').some(({ value, text }) => value !== 'sell' && !PAID.test(text))) return null;
  const scoped = scopesOf(bag);
  if (scoped === null || scoped.said.some((scope) => scope !== 'deal')) return null;
  const list = scoped.goods;
  const sale = sellsIn(bag);
  return [
    { fact: 'min', amount: amountOf(bag.all('MONEY')[0]!), sells: sale || TAKEN.test(bag.text) },
    // "At least 12 USDC when selling" does not say that the agent sells.
    ...(sale && neg + refused === 0 && !whenSold(bag)
      ? [
          {
            fact: 'side',
            side: 'sell',
            spends: false,
            bare: list.length === 0,
            goods: list.length === 0 ? null : list,
          } as const,
        ]
      : []),
    ...(list.length === 0
      ? []
      : [
          { fact: 'goods', deny: false, list, side: null, only: false } as const,
          { fact: 'holds-for', goods: list, words: bag.all('CATEGORY')[0]!.text } as const,
        ]),
  ];
}

/** What others pay, or what is got for a thing. */
const PAID =
  /^(?:get|fetch|pays?|obtain|collect|(?:i|we) (?:want|need|would like|should like)|i'd like|we'd like)\b/i;
const TAKEN =
  /\b(?:accept|take|offers?|price floor|floor price|reserve price|minimum price|fetch|bring in|let\b.*\bgo)\b/i;

/** "Leave anything over 500 USDC alone", "only up to": elsewhere the word restricts something that is not known. */
function alone(bag: Bag): boolean {
  return bag.atoms.every(
    ({ kind, text }, at) =>
      kind !== 'ONLY' ||
      (bag.has('LEAVE')
        ? /^alone$/i.test(text)
        : bag.kindAt(at + 1) === 'LIMIT' && /^(?:and )?(?:only|just)$/i.test(text)),
  );
}

/** "Get 500 USDC per deal for my art": money as the object may be what the owner is to be paid. */
function takesIn(bag: Bag): boolean {
  if (bag.has('LIMIT', 'UNDER', 'ABOVE', 'CAP')) return false;
  return bag.atoms.some(
    ({ kind, text }, at) =>
      bag.kindAt(at + 1) === 'MONEY' &&
      ((kind === 'VERB' &&
        /^(?:get|collect|obtain|win|fetch|grab|pick up|scoop up|snap up|i want|we want|earn)\b/i.test(
          text,
        )) ||
        (kind === 'KEEP' && /^(?:accept|take|receive)/i.test(text))),
  );
}

/** "Buy a boat", "one deal only", "a single deal:": how many there may be, beside what one may cost. */
function countsOne(bag: Bag): boolean {
  return bag.atoms.some((atom, at) => {
    const one = isOne(atom) || atom.kind === 'SINGLE';
    if (!one && atom.kind !== 'ART') return false;
    let noun = at + 1;
    while (['SINGLE', 'MODIFIER'].includes(bag.kindAt(noun))) noun++;
    if (['CATEGORY', 'DEAL', 'ITEM', 'GEN'].includes(bag.kindAt(noun))) noun++;
    const led = bag.kindAt(at - 1);
    if (led === 'VERB' && (one || bag.kindAt(noun - 1) === 'CATEGORY')) return true;
    return one && led !== 'PER' && led !== 'PREP' && bag.kindAt(noun) === 'SEP' && !bag.has('NEG');
  });
}

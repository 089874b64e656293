import { amountOf, type Fact } from '../facts.ts';
import { AROUND, type Bag, kindsOf, sellsIn, wordOf } from './bag.ts';
import { scopesOf } from './scopes.ts';

const ASKING = kindsOf(
  `${AROUND} SCOPE_NONE AFTER ONLY ABOVE ASK TELL APPROVAL ME BEFORE WITHOUT NEG COND THEN`,
);

/** Reads the amount from which the owner is asked. */
export function approval(bag: Bag): Fact[] | null {
  if (!bag.only(ASKING) || sellsIn(bag)) return null;
  if (bag.count('ABOVE') !== 1 || !bag.before('ABOVE', 'MONEY')) return null;
  if (bag.count('NEG') !== bag.count('WITHOUT') || bag.count('NEG') > 1) return null;
  const words = bag.words('ASK', 'APPROVAL', 'ME', 'WITHOUT', 'REQUIRE', 'TELL');
  const owner =
    /\b(?:me|my|i|mine|myself|owner|us|our|we)\b/.test(words) ||
    /\b(?:ask|check in) (?:first|before)\b/.test(words);
  // "Is fine with me" grants what "needs my approval" holds back.
  const held =
    runs(bag) ||
    (bag.has('ASK') && !/\bha(?:s|ve) (?:my|our)\b/.test(bag.words('ASK'))) ||
    bag.has('BEFORE', 'WITHOUT', 'REQUIRE') ||
    (bag.has('TELL') && bag.has('APPROVAL')) ||
    (bag.has('APPROVAL') && bag.all('VERB').some(({ text }) => /^(?:get|obtain)$/i.test(text))) ||
    /\b(?:first|beforehand|prior|in advance|must|need|decide|want to|call|myself|personally|shall approve)\b/.test(
      words,
    );
  const scoped = scopesOf(bag);
  if (!owner || !held || scoped === null || scoped.said.some((scope) => scope !== 'deal')) return null;
  const goods = scoped.goods;
  return [
    { fact: 'approval', amount: amountOf(bag.all('MONEY')[0]!) },
    ...(goods.length === 0
      ? []
      : [{ fact: 'holds-for', goods, words: bag.all('CATEGORY')[0]!.text } as const]),
  ];
}

/** "Run every purchase above 900 USDC by me": of the words of a demand, these ask. */
export function runs(bag: Bag): boolean {
  return (
    /^run$/.test(bag.words('REQUIRE')) &&
    bag.has('ME') &&
    bag.all('PREP').some((atom) => wordOf(atom) === 'by')
  );
}

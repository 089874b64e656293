import type { Atom } from './atom.ts';
import type { Clauses } from './clauses.ts';
import type { Fact } from './facts.ts';

const TRADED = /^(?:domains?|names?|websites?)$/i;
/** What makes a name one of a counterparty. */
const DEALING = new Set(['PREP', 'PARTYWORD', 'DEAL']);
const ADDRESS = /^0x/i;

/**
 * "Buy domain names, not alice.eth", "never sell alice.eth": the name may be goods. As a counterparty it would be refused
 * as such, and still be bought or sold.
 */
export function askedWhetherGoods(clauses: Clauses, atoms: readonly Atom[], facts: readonly Fact[]): Fact[] {
  if (!facts.some(({ fact }) => fact === 'parties')) return [];
  const first = atoms.findIndex(({ kind }) => kind === 'PARTY');
  const led = atoms.slice(0, first);
  if (first === -1 || ADDRESS.test(atoms[first]!.text) || !atoms[first]!.text.includes('.')) return [];
  const said = led.some(
    ({ kind, text }, at) =>
      DEALING.has(kind) ||
      (kind === 'EXCEPT' && OF_PEOPLE.test(text)) ||
      (kind === 'NEG' && /\bto$/i.test(text)) ||
      (led[at + 1]?.value === ':' && LIST_OF_PEOPLE.test(text)),
  );
  if (said) return [];
  const verbs = led.filter(({ kind }) => kind === 'VERB');
  if (verbs.some(({ text }) => /^(?:pay|bid)/i.test(text))) return [];
  const trades = verbs.some(({ value }) => value === 'buy' || value === 'sell');
  const traded = [...clauses.nouns.values()].some((nouns) => [...nouns].some((noun) => TRADED.test(noun)));
  if (!trades && !traded) return [];
  const name = atoms[first]!.text;
  return [
    {
      fact: 'ask',
      reason: 'NOT_UNDERSTOOD',
      question:
        `Is "${name}" one of the goods, or with whom the agent deals? A mandate names goods by their category alone; of a ` +
        `counterparty it says "Never deal with ${name}" or "Deal only with ${name}".`,
      about: { start: atoms[first]!.start, end: atoms[first]!.end },
      worded: true,
    },
  ];
}

/** "Anyone but", "from any seller except". */
const OF_PEOPLE = /\b(?:from|with)\b|(?:one|body)\b|\b(?:seller|buyer|wallet)\b/i;

/** "Blacklist: alice.eth". */
const LIST_OF_PEOPLE = /^(?:(?:block|black|allow|white)list(?:ed)?|trusted|ban)$/i;

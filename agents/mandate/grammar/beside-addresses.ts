import { isRefusing } from './atom-kinds.ts';
import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';
import { lastSentence } from './sentences.ts';

const WORDS = new Set(['wallet', 'wallets', 'address', 'addresses', 'account', 'accounts']);
const EQUALS = new Set(['is', 'are', ':', '=']);
const OWN = new Set(['my', 'our', 'own', 'mine', 'ours']);

/**
 * "My address is 0x…", "wallet: 0x…": it may be told so that the agent can be paid, and need not be whom to deal with.
 * "Only from the wallet 0x…" and "never with my wallet 0x…" say so.
 */
export function ownAddress({ tokens, at, atoms }: Place): Known | null {
  let next = at + 1;
  while (WORDS.has(tokens[next]?.key ?? '')) next++;
  const told = EQUALS.has(tokens[next]?.key ?? '');
  while (EQUALS.has(tokens[next]?.key ?? '')) next++;
  if (!['name', 'address'].includes(tokens[next]?.kind ?? '')) return null;
  let before = at - 1;
  while (WORDS.has(tokens[before]?.key ?? '')) before--;
  const sentence = lastSentence(atoms);
  if (sentence.some(isRefusing)) return null;
  const last = atoms.at(-1);
  const pays = sentence.some(({ kind, text }) => kind === 'VERB' && /^pay/i.test(text));
  if (last?.kind === 'PREP' && !pays) return null;
  const mine = OWN.has(tokens[before]?.key ?? '');
  // A label of its own, and not "allowed wallets: x.eth", nor "sellers: wallet: x.eth".
  const label = told && (last === undefined || (last.kind === 'SEP' && last.value !== ':'));
  return mine || label ? known('UNKNOWN', tokens[at]!.text) : null;
}

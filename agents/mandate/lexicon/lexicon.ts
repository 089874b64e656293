import { CHAIN_WORDS } from '../chains.ts';
import { wordKey } from '../tokens.ts';
import { CATEGORY_WORDS } from './category-words.ts';
import { LIMIT_WORDS } from './limit-words.ts';
import { LINK_WORDS } from './link-words.ts';
import { OWNER_WORDS } from './owner-words.ts';
import { TIME_WORDS } from './time-words.ts';
import { CHECK_WORDS, TRADE_WORDS } from './trade-words.ts';
import type { WordTable } from './word-table.ts';

/** What a word or phrase means to the grammar: its kind and a value within the kind. */
export interface Meaning {
  readonly kind: string;
  readonly value: string;
}

const MEANINGS = new Map<string, Meaning>();
let longest = 1;

function add(phrase: string, meaning: Meaning): void {
  const key = phrase.trim().replaceAll('-', ' ').split(/\s+/).map(wordKey).join(' ');
  if (key === '') return;
  const known = MEANINGS.get(key);
  // Two meanings for one phrase would make the reading depend on the order of the tables.
  if (known && (known.kind !== meaning.kind || known.value !== meaning.value))
    throw new Error(`the lexicon gives "${key}" two meanings`);
  MEANINGS.set(key, meaning);
  longest = Math.max(longest, key.split(' ').length);
}

function addTable(table: WordTable): void {
  for (const [name, phrases] of Object.entries(table)) {
    const [kind, value = ''] = name.split(' ');
    for (const phrase of phrases.split(',')) add(phrase, { kind: kind!, value });
  }
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

for (const table of [LINK_WORDS, LIMIT_WORDS, TIME_WORDS, TRADE_WORDS, OWNER_WORDS]) addTable(table);
for (const [category, words] of Object.entries(CATEGORY_WORDS)) {
  const meaning = { kind: 'CATEGORY', value: category };
  add(category, meaning);
  for (const noun of words.nouns.split(',').map((n) => n.trim())) {
    add(noun, meaning);
    add(plural(noun), meaning);
  }
  for (const phrase of words.phrases.split(',')) add(phrase, meaning);
}
for (const [chain, phrases] of Object.entries(CHAIN_WORDS))
  for (const phrase of [...phrases, chain]) add(phrase, { kind: 'CHAIN', value: chain });
for (const [name, bases] of Object.entries(CHECK_WORDS))
  for (const base of bases.split(','))
    for (const tail of [
      'check',
      'checks',
      'scan',
      'determination',
      'test',
      'screening',
      'screen',
      'verification',
    ])
      add(`${base} ${tail}`, { kind: 'CHECK', value: name });

for (const [a, first] of Object.entries(CHECK_WORDS))
  for (const [b, second] of Object.entries(CHECK_WORDS))
    if (a !== b)
      for (const x of first.split(','))
        for (const y of second.split(','))
          if (!x.includes(' and ') && !y.includes(' and '))
            for (const tail of ['checks', 'scans', 'determinations', 'tests'])
              add(`${x} and ${y} ${tail}`, { kind: 'CHECK', value: `${a},${b}` });

/** The longest run of words from `at` that the lexicon knows. */
export function lookUp(keys: readonly string[], at: number): { meaning: Meaning; length: number } | null {
  for (let length = Math.min(longest, keys.length - at); length > 0; length--) {
    const meaning = MEANINGS.get(keys.slice(at, at + length).join(' '));
    if (meaning !== undefined) return { meaning, length };
  }
  return null;
}

import { CHAIN_WORDS } from '../../terms/chains.ts';
import type { Steps } from '../steps.ts';
import { wordKey } from '../tokens.ts';
import { BRIEF_WORDS } from './brief-words.ts';
import { CATEGORY_WORDS } from './category-words.ts';
import { CONVERSATION_WORDS } from './conversation-words.ts';
import { DEED_WORDS } from './deed-words.ts';
import { EVERYDAY_WORDS } from './everyday-words.ts';
import { FORMAL_WORDS } from './formal-words.ts';
import { HABIT_ENDS } from './habit-ends.ts';
import { HABIT_FILLERS } from './habit-fillers.ts';
import { HABIT_WORDS } from './habit-words.ts';
import { IDIOM_WORDS } from './idiom-words.ts';
import { LIMIT_WORDS } from './limit-words.ts';
import { LINK_WORDS } from './link-words.ts';
import { ORDER_WORDS } from './order-words.ts';
import { OWNER_WORDS } from './owner-words.ts';
import { PLAIN_WORDS } from './plain-words.ts';
import { POLITE_WORDS } from './polite-words.ts';
import { REQUEST_WORDS } from './request-words.ts';
import { SPOKEN_WORDS } from './spoken-words.ts';
import { TIME_WORDS } from './time-words.ts';
import { CHECK_WORDS, TRADE_WORDS } from './trade-words.ts';
import { UNJUDGED_WORDS } from './unjudged-words.ts';
import type { WordTable } from './word-table.ts';

/** The meaning of a word or phrase in the grammar: its kind, and a value within the kind. */
export interface Meaning {
  readonly kind: string;
  readonly value: string;
}

/** A word of the lexicon and the words that may follow it. Looking up a phrase takes one step for each word. */
interface Node {
  meaning: Meaning | null;
  /** Null where no word follows, as after most. */
  next: Map<string, Node> | null;
}

const ROOT: Node = { meaning: null, next: null };
/** Whoever starts a process waits for these tables: a few thousand words spell a hundred thousand phrases. */
const SPELLED = new Map<string, string>();

function spelled(word: string): string {
  let key = SPELLED.get(word);
  if (key === undefined) {
    key = wordKey(word);
    SPELLED.set(word, key);
  }
  return key;
}

function add(phrase: string, meaning: Meaning): void {
  const bare = phrase.trim();
  if (bare === '') return;
  let node = ROOT;
  for (const word of bare.replaceAll('-', ' ').split(/\s+/).map(spelled)) {
    node.next ??= new Map();
    let next = node.next.get(word);
    if (next === undefined) {
      next = { meaning: null, next: null };
      node.next.set(word, next);
    }
    node = next;
  }
  const known = node.meaning;
  // With two meanings for one phrase, the reading would depend on the order of the tables.
  if (known && (known.kind !== meaning.kind || known.value !== meaning.value))
    throw new Error(`the lexicon gives "${phrase}" two meanings`);
  node.meaning = meaning;
}

function addTable(table: WordTable): void {
  for (const [name, phrases] of Object.entries(table)) {
    const [kind, value = ''] = name.split(' ');
    for (const phrase of phrases.split(',')) add(phrase, { kind: kind!, value });
  }
}

/** "You're free to" means what "you are free to" does; what is in a table itself stands. */
const CONTRACTIONS = [
  ['you are', "you're"],
  ['we are', "we're"],
  ['i am', "i'm"],
  ['it is', "it's"],
  ['i will', "i'll"],
  ['we will', "we'll"],
  ['i would', "i'd"],
  ['we would', "we'd"],
  ['i have', "i've"],
  ['we have', "we've"],
  ['you have', "you've"],
] as const;

function addContracted(): void {
  for (const [long, short] of CONTRACTIONS) {
    addWays(long, short);
    addWays(short, long);
  }
}

/** What is said after `from` is said after `to`, too. */
function addWays(from: string, to: string): void {
  const next = nodeOf(from)?.next ?? null;
  for (const { words, meaning } of entries({ meaning: null, next })) {
    const other = `${to} ${words}`;
    if (!isKnown(other)) add(other, meaning);
  }
}

/** What one owner says of asking, several say, too: "check with me" and "check with us", "my approval" and "our approval". */
const OURS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    i: 'we',
    me: 'us',
    my: 'our',
    mine: 'ours',
    myself: 'ourselves',
    "i'd": "we'd",
    "i'll": "we'll",
  }),
);
const ASKING = new Set(['ASK', 'APPROVAL', 'WITHOUT', 'TELL']);

function addOurs(): void {
  for (const { words, meaning } of entries(ROOT, ASKING)) {
    const ours = words.replace(/[^ ]+/g, (word) => OURS.get(word) ?? word);
    if (ours !== words && !isKnown(ours)) add(ours, meaning);
  }
}

function nodeOf(phrase: string): Node | undefined {
  let node: Node | undefined = ROOT;
  for (const word of phrase.split(' ').map(spelled)) node = node?.next?.get(word);
  return node;
}

function isKnown(phrase: string): boolean {
  return nodeOf(phrase)?.meaning != null;
}

/** Every phrase below a node with its meaning. @param kinds of which only; of every kind when left out */
function entries(from: Node, kinds?: ReadonlySet<string>): { words: string; meaning: Meaning }[] {
  const all: { words: string; meaning: Meaning }[] = [];
  const walk = (node: Node, words: string): void => {
    if (node.meaning !== null && kinds?.has(node.meaning.kind) !== false)
      all.push({ words, meaning: node.meaning });
    for (const [word, next] of node.next ?? []) walk(next, words === '' ? word : `${words} ${word}`);
  };
  walk(from, '');
  return all;
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

for (const table of [
  LINK_WORDS,
  LIMIT_WORDS,
  TIME_WORDS,
  TRADE_WORDS,
  OWNER_WORDS,
  EVERYDAY_WORDS,
  IDIOM_WORDS,
  PLAIN_WORDS,
  POLITE_WORDS,
  UNJUDGED_WORDS,
  CONVERSATION_WORDS,
  SPOKEN_WORDS,
  HABIT_WORDS,
  HABIT_ENDS,
  HABIT_FILLERS,
  BRIEF_WORDS,
  FORMAL_WORDS,
  DEED_WORDS,
  REQUEST_WORDS,
  ORDER_WORDS,
])
  addTable(table);
addOurs();
addContracted();
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

/** A phrase of the lexicon, and its number of words. */
export interface Known {
  readonly meaning: Meaning;
  readonly length: number;
}

/** The longest phrase from `at` that the lexicon contains. */
export function lookUp(keys: readonly string[], at: number, steps: Steps): Known | null {
  let node: Node | undefined = ROOT;
  let found: Known | null = null;
  for (let i = at; i < keys.length; i++) {
    steps.take();
    node = node.next?.get(keys[i]!);
    if (node === undefined) break;
    if (node.meaning !== null) found = { meaning: node.meaning, length: i + 1 - at };
  }
  return found;
}

/** Every phrase of the lexicon, as it is looked up. */
export function phrases(): string[] {
  return entries(ROOT).map(({ words }) => words);
}

import type { Known, Meaning } from './lexicon/lexicon.ts';
import type { Token } from './tokens.ts';

const FILLER: Meaning = { kind: 'FILL', value: '' };

const GREETINGS =
  /^(?:morning|evening|afternoon|g'day|gday|namaste|namaskar|namaskaram|vanakkam|heya|aloha|salaam|salam|shalom|ahoy|wotcha|oi|sup|yo|'ello|hullo)$/;
const GREETED = /^(?:there|mate|mates|all|everyone|everybody|team|friend|friends|ji|folks|sir|madam|agent)$/;
const FAREWELLS = /^(?:namaste|namaskar|ciao|adieu|cheerio|dhanyavaad|dhanyavad|shukriya)$/;
const STOPS = ['!', ',', '.', ';', '-'];

/** "Morning!", "G'day mate," as the first words, and "Namaste." as the last. */
export function greeting(tokens: readonly Token[], at: number): Known | null {
  const key = tokens[at]!.key;
  if (at === 0 && GREETINGS.test(key)) {
    const length = GREETED.test(tokens[1]?.key ?? '') ? 2 : 1;
    return STOPS.includes(tokens[length]?.key ?? '') ? { meaning: FILLER, length } : null;
  }
  if (at === 0 || !FAREWELLS.test(key) || !STOPS.includes(tokens[at - 1]!.key)) return null;
  const last = tokens.slice(at + 1).every((token) => STOPS.includes(token.key));
  return last ? { meaning: FILLER, length: 1 } : null;
}

/** True for a name with which somebody begins: "Hi, it's Tom." Whoever writes limits and widens nothing. */
export function introduces(tokens: readonly Token[], at: number): boolean {
  if (at > 8 || !/^\p{Lu}\p{Ll}+$/u.test(tokens[at]!.text) || tokens[at]!.kind !== 'word') return false;
  const after = tokens[at + 1]?.key;
  if (after !== '.' && after !== ',' && after !== '!') return false;
  const [one, two] = [tokens[at - 1]?.key, tokens[at - 2]?.key];
  return (
    one === "it's" || one === 'it' || (one === 'is' && (two === 'this' || two === 'it' || two === 'name'))
  );
}

const FAVOUR = new Set(['could', 'can', 'would', 'will', 'might', 'may']);
/** How far back from a question mark the request may begin, in tokens. */
const LONGEST_REQUEST = 60;

/** True for the mark at the end of "could you buy …?": a request, where "buy up to 500 USDC?" leaves the amount open. */
export function asksPolitely(tokens: readonly Token[], at: number): boolean {
  for (let i = at - 1; i > 0 && i > at - LONGEST_REQUEST; i--) {
    const { key } = tokens[i]!;
    if (key === '.' || key === '!' || key === '?' || key === ';') return false;
    if ((key === 'you' || key === 'i' || key === 'we') && FAVOUR.has(tokens[i - 1]!.key)) return true;
  }
  return false;
}

const CLOSING = new Set([
  'regards',
  'wishes',
  'yours',
  'sincerely',
  'faithfully',
  'truly',
  'cheers',
  'best',
  'thanks',
  'love',
  'ta',
  'gratitude',
  'warmly',
  'respectfully',
]);
/** A name has at most so many words. */
const LONGEST_NAME = 3;

/** True where nothing but a name follows a closing: "Kind regards, Ines." Whoever signs limits and widens nothing. */
export function signs(tokens: readonly Token[], at: number, phraseAt: (at: number) => Known | null): boolean {
  let back = at - 1;
  while (back >= 0 && [',', '-', ';'].includes(tokens[back]!.key)) back--;
  if (!closes(tokens, back)) return false;
  const name = tokens.slice(at).filter(({ key }) => key !== '.' && key !== '&');
  return (
    name.length > 0 &&
    name.length <= LONGEST_NAME &&
    name.every(({ kind, text }) => kind === 'word' && /^\p{Lu}\p{Ll}*$/u.test(text)) &&
    name.every((token) => phraseAt(tokens.indexOf(token)) === null)
  );
}

/** "Kind regards", "thank you very much", "many thanks in advance". */
function closes(tokens: readonly Token[], at: number): boolean {
  const last = tokens[at]?.key ?? '';
  if (CLOSING.has(last)) return true;
  const thanked = tokens
    .slice(Math.max(0, at - 3), at + 1)
    .some(({ key }) => key === 'thank' || key === 'thanks');
  return thanked && (last === 'you' || last === 'much' || last === 'advance' || last === 'again');
}

/** The shortest operator key that is accepted. */
export const TOKEN_CHARACTERS = 24;
/** The fewest bits that guessing must take. Every random hex token of the least length has more. */
export const TOKEN_BITS = 64;

/** What an attacker tries first: common words, years, walks over a keyboard, the pangram. */
const COMMON = new RegExp(
  [
    'password|passwort|secret|operator|admin|changeme|letmein|default|example|handshake|token|test|demo|apikey',
    'bearer|welcome|iloveyou|monkey|dragon|key|safe|the|quick|brown|jumps|over|lazy|(?:19|20)\\d\\d|deadbeef|cafebabe',
    'qwertyuiop|asdfghjkl|zxcvbnm|qwerty|asdfgh|zxcvbn|qazwsx|edcrfv|tgbyhn|ujmikolp|1qaz|2wsx|1q2w3e|4r5t6y|7u8i9o|0p',
  ].join('|'),
  'gi',
);

/**
 * Estimates how many bits must be guessed by somebody who tries words, repetitions and sequences first. It is an upper
 * bound for what a person typed, and close to the truth for random tokens.
 */
export function guessBits(token: string): number {
  const period = periodOf(token);
  if (period <= token.length / 2) return guessBits(token.slice(0, period)) + 8;
  const rest = token.replaceAll(COMMON, '\u0000');
  const perCharacter = Math.log2(alphabetOf(rest));
  let bits = 0;
  let at = 0;
  while (at < rest.length) {
    const word = wordAt(rest, at);
    const repeated = repeatAt(rest, at) >= 4 ? repeatAt(rest, at) : 0;
    const run = Math.max(
      runAt(rest, at, 1) >= 3 ? runAt(rest, at, 1) : 0,
      runAt(rest, at, 2) >= 6 ? runAt(rest, at, 2) : 0,
    );
    if (rest[at] === '\u0000') {
      bits += 5;
      at += 1;
    } else if (/[ ._-]/.test(rest[at]!) && repeated === 0 && run === 0) {
      // A separator between guessable parts: one of a few signs, at a predictable place.
      bits += 1;
      at += 1;
    } else if (word > repeated) {
      // A word costs as much as one from a list of some thousands, and more when it is long.
      bits += Math.max(12.9, 1.8 * word);
      at += word;
    } else if (repeated > 0 || run > 0) {
      // A repetition or sequence costs its start and its length.
      bits += Math.min(10, 2 * perCharacter);
      at += Math.max(repeated, run);
    } else {
      bits += perCharacter;
      at += 1;
    }
  }
  return bits;
}

/** The length of the part that the whole text repeats. */
function periodOf(text: string): number {
  let period = 1;
  while (period < text.length && !text.startsWith(text.slice(period))) period += 1;
  return period;
}

/** The size of the alphabet, judged by the kinds of characters that occur. */
function alphabetOf(text: string): number {
  if (/^[0-9\0]*$/.test(text)) return 10;
  if (/^[0-9a-f_\0-]*$/.test(text) || /^[0-9A-F_\0-]*$/.test(text)) return 16;
  const kinds: readonly (readonly [RegExp, number])[] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[^A-Za-z0-9\0]/, 4],
  ];
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 0);
}

/** The length of the pronounceable word that begins here, or 0: letters of one case, bounded by other characters. */
function wordAt(text: string, at: number): number {
  if (at > 0 && /[A-Za-z]/.test(text[at - 1]!) && /[a-z]/.test(text[at - 1]!) === /[a-z]/.test(text[at]!))
    return 0;
  const [word = ''] =
    /^[A-Z]?[a-z]{3,11}(?![A-Za-z])|^[A-Z]{4,12}(?![A-Za-z])|^[A-Z][a-z]{3,11}/.exec(text.slice(at)) ?? [];
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0;
  const spoken = vowels >= word.length / 5 && vowels <= word.length * 0.7 && !/[^aeiouy]{5}/i.test(word);
  return spoken ? word.length : 0;
}

/** How many characters from here on have occurred before. */
function repeatAt(text: string, at: number): number {
  let length = 0;
  while (at + length < text.length && text.slice(0, at + length).includes(text.slice(at, at + length + 1)))
    length += 1;
  return length;
}

/** How many characters from here on rise, fall or stay by one step; with `lag` n, every nth character is compared. */
function runAt(text: string, at: number, lag: number): number {
  const code = (i: number): number => text.charCodeAt(i);
  let end = at + lag;
  const follows = (): boolean => {
    const step = code(end) - code(end - lag);
    return Math.abs(step) <= 1 && (end - lag < at + lag || step === code(end - lag) - code(end - 2 * lag));
  };
  while (end < text.length && follows()) end += 1;
  return end === at + lag ? 0 : end - at;
}

/** Why a token is too weak, as the end of "it …"; null when it is strong enough. */
export function weaknessOfToken(token: string): string | null {
  if (token.length < TOKEN_CHARACTERS) return `is shorter than ${TOKEN_CHARACTERS} characters`;
  return guessBits(token) < TOKEN_BITS ? 'can be guessed: it is made of words, repeats or sequences' : null;
}

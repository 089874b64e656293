/**
 * Text for the statement of an EIP-4361 message. The standard allows one line of RFC 3986 characters and spaces. Text of
 * other people stands between single quotes, in a smaller alphabet that holds no quote or square bracket, so
 * that no such text can end its own quotation, begin a line, or pass for another part of the sentence.
 */

/** The longest statement that is signed, in characters. Every sentence of `agents/words` fits into it. */
export const STATEMENT_LENGTH = 720;

const ALPHABET = /[A-Za-z0-9 .,:;!?&+*=@#$/()_~-]/;
const KEY_ALPHABET = /[A-Za-z0-9.:/_-]/;

/** As in "don't", which is read without it as well; anywhere else it may end a quotation. */
const APOSTROPHE = /(?<=\p{L})['\u2019](?=\p{L})/gu;

/** Letters that Unicode does not decompose into a base letter and a mark, and signs that a word stands for. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '–': '-',
  '—': '-',
  '…': '...',
  '€': 'EUR ',
  '£': 'GBP ',
  '%': ' percent',
};

/**
 * Quotes a text of somebody else. Accents are dropped, so is an apostrophe in a word, and what has no place in the alphabet is shown by its code
 * point, such as `[U+0430]`: letters that only look alike are told apart, and no sign is lost on which a meaning hangs.
 * @param most characters between the quotes; a longer text ends in `...`
 */
export function quoted(text: string, most = 48): string {
  return `'${shortened(pieces(text), most)}'`;
}

/** An asset key or another code: what is outside of its alphabet is shown by its code point. */
export function codeText(text: string, most = 160): string {
  const all = [...text].map((letter) => (KEY_ALPHABET.test(letter) ? letter : codePoint(letter)));
  return shortened(all, most);
}

/** Each piece is one character or one escape, which is never cut in two. */
function pieces(text: string): string[] {
  const found: string[] = [];
  // More than can be shown is not looked at.
  for (const letter of text.slice(0, 2_000).replace(APOSTROPHE, '')) {
    for (const piece of plainPieces(letter)) {
      if (piece === ' ' && (found.length === 0 || found.at(-1) === ' ')) continue;
      found.push(piece);
    }
  }
  if (found.at(-1) === ' ') found.pop();
  return found;
}

function plainPieces(letter: string): string[] {
  if (ALPHABET.test(letter)) return [letter];
  const latin = LATIN[letter];
  if (latin !== undefined) return [...latin];
  // Spaces, line ends, and what cannot be seen at all in a script that is read from left to right.
  if (/^[\s\p{Zs}\p{Zl}\p{Zp}]$/u.test(letter)) return [' '];
  const base = letter.normalize('NFD').replace(/\p{Mn}/gu, '');
  if (/^[A-Za-z]$/.test(base)) return [base];
  // A mark that was written apart from its letter.
  if (/^[\u0300-\u036f]$/.test(letter)) return [];
  return [codePoint(letter)];
}

function codePoint(letter: string): string {
  return `[U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

function shortened(all: readonly string[], most: number): string {
  const whole = all.join('');
  if (whole.length <= most) return whole;
  let text = '';
  for (const piece of all) {
    if (text.length + piece.length > most - 3) break;
    text += piece;
  }
  return `${text.trimEnd()}...`;
}

/**
 * A sentence as a URI, for the resources of a message whose statement is not free. Words are joined by underscores;
 * undone, and decoded, it is the sentence again.
 */
export function wordsUri(sentence: string): string {
  const escaped = encodeURI(sentence).replace(/[_?#[\]]/g, (sign) => `%${hexOf(sign)}`);
  return `urn:words:${escaped.replaceAll('%20', '_')}`;
}

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase();
}

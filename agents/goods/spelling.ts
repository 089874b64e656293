/**
 * Letters of other scripts that look like a Latin letter or a digit, after Unicode's confusables (UTS 39). Lower-case
 * ones stand here where they look like another letter than their capital does.
 */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    // Greek
    ['αβγεηικνορτυχωϲϳ', 'ABYENIKVOPTUXWCJ'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ', 'ABEZHIKMNOPTYXCJ'],
    // Cyrillic
    ['АВЕЅІЈКМНОРСТУХԚԜҮӀҺԌЗӠѴԀЅӏ', 'ABESIJKMHOPCTYXQWYIHG33VDSI'],
    ['авеѕіјкмнорстухԛԝүһԍзӡѵԁгп', 'ABESIJKMHOPCTYXQWYHG33VDRN'],
    // Armenian
    ['ՕօՏՍսԼհոզ', 'OOSUULHNQ'],
    // Cherokee
    ['ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏚᏢᏦᏟᏙᏞᎥᏴᎩ', 'DRTAJEWMHGZ4RSPKCVLIBY'],
    // Latin with a stroke, and dotless
    ['ØøĐđŁłıƖ', 'OODDLLII'],
  ].flatMap(([from = '', to = '']) => [...from].map((c, i) => [c, [...to][i] ?? c] as const)),
);

/** What says nothing in a serial: marks, joiners and what is not shown. */
const UNSEEN = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A serial's text in capital Latin letters and decimal digits, whatever script, width or style it was typed in. What
 * parts it (spaces, dashes, punctuation) stays; every dash is `-` and every space is one space.
 */
export function plainText(text: string): string {
  const shown = [...text.replaceAll('№', '#').normalize('NFKD').replace(UNSEEN, '')]
    .map((c) => LOOKALIKES.get(c) ?? (/\p{Nd}/u.test(c) ? digit(c) : (enclosed(c) ?? c)))
    .join('');
  return smallOnes(shown)
    .toUpperCase()
    .replace(/[\p{Pd}\u2212\u2043]/gu, '-')
    .replace(QUOTED, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Quotes and brackets round it. Round ones may be part of what stands in front of a number: `(01)`. */
const QUOTED = /["“”„«»‹›[\]]/g;

/** Blocks of the letters A to Z in white on black, and of flags, which no decomposition takes apart (Unicode 13). */
const ENCLOSED = [0x1f150, 0x1f170, 0x1f1e6] as const;

function enclosed(c: string): string | null {
  const code = c.codePointAt(0)!;
  const first = ENCLOSED.find((from) => code >= from && code < from + 26);
  return first === undefined ? null : String.fromCharCode(65 + code - first);
}

/** In 17 capitals and digits an `l` is a one: a VIN has no I, and nobody types a single letter small. */
function smallOnes(text: string): string {
  return bareSerial(text).length === 17 && !/[a-km-z]/.test(text) ? text.replaceAll('l', '1') : text;
}

/** The value of a decimal digit of any script: their digits stand in runs of ten that begin with nought (UAX 44). */
function digit(c: string): string {
  const code = c.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/** The letters and digits of a plain text. */
export function bareSerial(plain: string): string {
  return plain.replace(/[\s._/\\:;#·•*,'()°-]/g, '');
}

/** Reads letters that a register of digits cannot have as the digits that they look like. */
export function asDigits(text: string): string {
  return text.replace(/[OQ]/g, '0').replace(/[IL]/g, '1');
}

import { unicodeLabel } from './punycode.ts';

/**
 * Letters that are drawn like Latin ones, of the scripts that are used for it (Unicode UTS 39, confusables.txt, those of
 * a single letter).
 */
const LIKE: Readonly<Record<string, string>> = {
  ...letters('a', 'аɑα⍺ａàáâãäåāăąǎạảấầẩẫậắằẳẵặ'),
  ...letters('b', 'Ьƅｂḃḅƀ'),
  ...letters('c', 'сϲᴄｃçćĉċč'),
  ...letters('d', 'ԁｄḍďđɗ'),
  ...letters('e', 'еҽｅèéêëēĕėęěẹẻẽếềểễệɛ'),
  ...letters('f', 'ｆḟƒ'),
  ...letters('g', 'ɡցｇĝğġģǵ'),
  ...letters('h', 'һհｈḥĥħ'),
  ...letters('i', 'іıɩιｉìíîïĩīĭįịỉ'),
  ...letters('j', 'јϳｊĵ'),
  ...letters('k', 'κкｋķḳƙ'),
  ...letters('l', 'ӏⅼɭｌĺļľḷłӀ'),
  ...letters('m', 'ｍṃṁм'),
  ...letters('n', 'ոｎñńņňṇŋηп'),
  ...letters('o', 'оοօσｏòóôõöøōŏőơọỏốồổỗộớờởỡợ'),
  ...letters('p', 'рρｐṗƿ'),
  ...letters('q', 'ԛգｑ'),
  ...letters('r', 'гｒŕŗřṛ'),
  ...letters('s', 'ѕｓśŝşšṣșꜱ'),
  ...letters('t', 'ｔţťṭțτт'),
  ...letters('u', 'υսｕùúûüũūŭůűųưụủứừửữựц'),
  ...letters('v', 'ѵνｖṿ'),
  ...letters('w', 'ԝѡｗŵẁẃẅẉ'),
  ...letters('x', 'хⅹｘẋẍ'),
  ...letters('y', 'уүｙýÿŷỳỵỷỹγ'),
  ...letters('z', 'ｚźżžẓ'),
};

function letters(latin: string, like: string): Record<string, string> {
  return Object.fromEntries([...like].map((letter) => [letter, latin]));
}

/** Groups of plain letters and digits that are taken for a letter at a glance. */
const DRAWN_LIKE: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/0/g, 'o'],
  [/1/g, 'l'],
  [/5/g, 's'],
  [/3/g, 'e'],
];

/** How a label looks: equal for two labels that one takes for each other. */
export function looksOf(label: string): string {
  const plain = [...unicodeLabel(label).normalize('NFC')].map((c) => LIKE[c] ?? c).join('');
  const latin = plain.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return DRAWN_LIKE.reduce((text, [group, letter]) => text.replaceAll(group, letter), latin);
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether one label mixes scripts that nobody writes together. */
export function mixesScripts(label: string): boolean {
  const text = unicodeLabel(label);
  return SCRIPTS.filter((script) => script.test(text)).length > 1;
}

/** Letters beside a to z that languages are written in, as registries take them, once their marks are taken off. */
const LATIN = 'ßæøœđħıłŋŧðþƒƙƴǝǥɓɔɖɗəɛɣɨɩɲʉʋʒ·';
/** Of the others that have phonetic, historic or borrowed letters, which are drawn like those of other scripts. */
const PARTS = [`a-z${LATIN}`, 'а-яѐ-џҋ-ӿ', 'α-ω', 'ա-և', 'ა-ჰ'];
/** Those that are in common use today (Unicode UAX 31, table 5), the ones that one language mixes together. */
const SCRIPTS_IN_USE = (
  'Hani+Hira+Kana+Bopo Hani+Hang Arab Hebr Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Thai Laoo Tibt Mymr Khmr ' +
  'Ethi Thaa'
)
  .split(' ')
  .map((names) =>
    names
      .split('+')
      .map((name) => `\\p{scx=${name}}`)
      .join(''),
  );
const WRITTEN = [...PARTS, ...SCRIPTS_IN_USE.map((letters) => `${letters}\u200c\u200d`)].map(
  (letters) => new RegExp(`^[${letters}\\p{M}\\d_-]*$`, 'u'),
);

/**
 * Chinese, Japanese and Korean names have plain Latin letters among theirs (Unicode UTS 39, highly restrictive): in one piece,
 * before or behind. Signs between Latin letters stand for some.
 */
const BESIDE_LATIN = [
  /^(?:[a-z]+[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]+|[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]+[a-z]+)$/u,
  /^(?:[a-z]+[\p{scx=Hani}\p{scx=Hang}]+|[\p{scx=Hani}\p{scx=Hang}]+[a-z]+)$/u,
];
/** Letters of Hangul which form no syllable: circles and strokes. */
const JAMO = /(?![가-힣])\p{Script=Hangul}/u;
/** Signs of theirs that beside a Latin letter are taken for one, or for a hyphen or slash. */
const DRAWN_LATIN =
  /[a-z][ノソロ〇ー丨丫匚卩乂凵卂乇厶卄廾乚尸丂丅冂〡〢〤]|[ノソロ〇ー丨丫匚卩乂凵卂乇厶卄廾乚尸丂丅冂〡〢〤][a-z]/u;
/** With those that begin or end many words, which are taken for Latin letters only where no others stand beside them. */
const ALL_DRAWN_LATIN =
  /^[a-zノソロ〇口一ー丨工丫匚卩乂凵卂乇厶卄廾乚尸丂丅冂〡〢〤エトニハへヘリレ十几日曰山乃刀下丁长爪尺乙]*$/u;

/** Whether all letters of a label are of scripts that one language is written in today, as an honest name's are. */
export function isOfOneScript(label: string): boolean {
  const text = unicodeLabel(label);
  if (text === label && label.startsWith('xn--')) return false;
  const letters = text.normalize('NFD');
  return WRITTEN.some((script) => script.test(letters)) || isBesideLatin(text);
}

function isBesideLatin(text: string): boolean {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  if (DRAWN_LATIN.test(letters) || JAMO.test(text.normalize('NFC'))) return false;
  const together = letters.replaceAll(/[\d_-]/g, '');
  return !ALL_DRAWN_LATIN.test(together) && BESIDE_LATIN.some((names) => names.test(together));
}

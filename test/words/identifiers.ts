/** An identifier of a TypeScript source and the line on which it stands. */
export interface Identifier {
  readonly name: string;
  readonly line: number;
}

/** After one of these characters, or one of these words, a slash begins a regular expression and is no division. */
const BEFORE_REGEX = /[([{,;:=!&|?+\-*%<>~^]$/;
const WORDS_BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'await',
]);

const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER = /\d[\w.]*/y;
const LINE_COMMENT = /\/\/[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;

/**
 * The identifiers of a source, in order. Comments, strings, regular expressions and the text of templates are
 * skipped; what stands between `${` and `}` is code. Keywords are identifiers too, which does no harm here.
 */
export function identifiersOf(source: string): Identifier[] {
  const found: Identifier[] = [];
  /** For each template that is open: how many braces are open inside its expression. */
  const templates: number[] = [];
  let at = 0;
  let line = 1;
  let before = '';

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text === undefined) return undefined;
    at += text.length;
    for (const character of text) if (character === '\n') line += 1;
    return text;
  };
  const skipTemplateText = (): void => {
    take(TEMPLATE_TEXT);
    if (source[at] === '`') at += 1;
    else {
      at += 2;
      templates.push(0);
    }
  };

  while (at < source.length) {
    if (take(/\s+/y) !== undefined || take(LINE_COMMENT) !== undefined || take(BLOCK_COMMENT) !== undefined) {
      continue;
    }
    const startLine = line;
    const word = take(WORD);
    if (word !== undefined) {
      found.push({ name: word, line: startLine });
      before = word;
      continue;
    }
    if (take(NUMBER) !== undefined || take(QUOTED) !== undefined) {
      before = 'a value';
      continue;
    }
    const character = source[at]!;
    const mayBeRegex = before === '' || BEFORE_REGEX.test(before) || WORDS_BEFORE_REGEX.has(before);
    if (character === '/' && mayBeRegex && take(REGEX) !== undefined) {
      before = 'a value';
      continue;
    }
    at += 1;
    before = character;
    const open = templates.length - 1;
    if (character === '`') {
      skipTemplateText();
      before = 'a value';
    } else if (character === '{' && open >= 0) {
      templates[open]! += 1;
    } else if (character === '}' && open >= 0) {
      if (templates[open] === 0) {
        templates.pop();
        skipTemplateText();
        before = 'a value';
      } else templates[open]! -= 1;
    }
  }
  return found;
}

/** The words of a camel-case, snake-case or kebab-case name, in lower case: `placeOrder` is `place`, `order`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

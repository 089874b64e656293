import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';

/** What may say something by itself. */
const EXEMPT: ReadonlySet<string> = new Set([
  // A standard: its exact sentences are what is agreed on.
  'records/verification-record.ts',
  // Programs, which no language of people changes.
  'developers/examples.ts',
]);

const API = new URL('../', import.meta.url);
const sourceOf = (file: string) => readFileSync(new URL(file, API), 'utf8');

/** Whatever makes markup, runs in the browser, or belongs to the acts of owners. */
const PAGES = readdirSync(API, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(words|browser\/static)\//.test(file),
  )
  .filter((file) => /^(browser|desk)\//.test(file) || /(?:^|[^`/\w])html`/m.test(sourceOf(file)))
  .filter((file) => !EXEMPT.has(file))
  .sort();

describe('the words of pages', () => {
  it('are looked for in whatever is shown to people', () => {
    const some = [
      'agent/agent-page.ts',
      'browser/wallet.ts',
      'desk/trade-commands.ts',
      'operator/operator-page.ts',
    ];
    expect(PAGES).toEqual(expect.arrayContaining(some));
    expect(PAGES.length).toBeGreaterThan(60);
  });

  it.each(PAGES)('stand in one place, and not in %s', (page) => {
    expect(wordsIn(sourceOf(page), page.startsWith('browser/'))).toEqual([]);
  });

  it('are found in text, in what is read out, and in strings', () => {
    const hole = '$' + '{WORDS.none}';
    expect(wordsIn(`html\`<p class="a b">Hello ${hole}</p>\``)).toEqual(['Hello \u0000']);
    expect(wordsIn('html`<img alt="A picture" class="wide">`')).toEqual(['A picture']);
    expect(wordsIn("label('Sold', 'clean')")).toEqual(['Sold']);
    expect(wordsIn(`say(\`Sold to ${hole}.\`)`)).toEqual(['Sold to \u0000.']);
    expect(wordsIn(`html\`<p class="soft">${hole}</p>\``)).toEqual([]);
    expect(wordsIn("typed('TransferWithAuthorization')")).toEqual([]);
    expect(wordsIn("throw new AppError('not-found', 'There is no such lot.')")).toEqual([]);
    expect(wordsIn("throw new Error('There is no wallet.')")).toEqual([]);
    expect(wordsIn("throw new Error('There is no wallet.')", true)).toEqual(['There is no wallet.']);
  });
});

/** A node of the syntax tree: whatever it is, its parts are looked through. */
type Node = Readonly<Record<string, unknown>>;

const LETTERS = /\p{L}{2,}/u;
/** What a template says: its text, and the attributes that are read to people. */
const SAID = /(?:aria-label|alt|placeholder|title|data-live)="([^"]*)"/g;

/**
 * Finds what a page says by itself: text in its `html` templates, and strings of several words or with a capital. A page
 * whose words stand in api/words has none. What an error of the API says belongs to the API.
 * @param inBrowser there, an error tells the visitor what went wrong
 */
function wordsIn(source: string, inBrowser = false): string[] {
  const found: string[] = [];
  const unsaid: ReadonlySet<unknown> = new Set(inBrowser ? ['AppError'] : ['AppError', 'Error']);
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }) as unknown as Node, found, unsaid);
  return found;
}

function visit(node: unknown, found: string[], unsaid: ReadonlySet<unknown>): void {
  if (Array.isArray(node)) {
    for (const part of node) visit(part, found, unsaid);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  const { type, callee } = node as Node;
  if (type === 'ImportDeclaration' || type === 'TsLiteralType' || type === 'ExportNamedDeclaration') return;
  if (type === 'NewExpression' && unsaid.has((callee as Node).value)) return;
  if (type === 'TemplateLiteral') found.push(...templateWords(node as Node));
  if (type === 'StringLiteral') found.push(...plainWords(String((node as Node).value)));
  for (const part of Object.values(node)) visit(part, found, unsaid);
}

/** Placeholders keep their place, so that one between two tags is not read as text. */
function templateWords({ quasis }: Node): string[] {
  const text = (quasis as { cooked: string }[]).map((q) => q.cooked).join('\u0000');
  const read = [...text.matchAll(SAID)].map(([, words = '']) => words);
  const bare = text.replace(/<code>[^<]*<\/code>/g, '').replace(/<[^>]*>/g, '\n');
  const parts = bare.includes('\n') ? bare.split('\n') : plainWords(bare);
  return [...read, ...parts].filter((words) => LETTERS.test(words)).map((words) => words.trim());
}

/** Names of classes, fields and paths are of one word, or have no capital; amounts end in Usd. */
function plainWords(text: string): string[] {
  const isName = text === 'Usd' || /^\p{Lu}\p{Ll}+\p{Lu}/u.test(text);
  const isSentence = /^\p{Lu}\p{Ll}+/u.test(text) || /\p{L}+ \p{L}+ \p{L}+/u.test(text);
  return isSentence && !isName ? [text] : [];
}

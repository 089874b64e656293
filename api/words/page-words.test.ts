import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';

/** The pages whose words stand in api/words, ready for another language. */
const PAGES = [
  'agent/agent-page',
  'agent/agents-page',
  'agent/cap-gauge',
  'agent/state-chart',
  'certificates/certificate-page',
  'certificates/disputes-view',
  'checkout/checkout-page',
  'checkout/new-agent-page',
  'dashboard/dashboard-page',
  'dashboard/earnings-plot',
  'dashboard/own-view',
  'desk/pages/desk',
  'desk/pages/desk-lists',
  'desk/pages/desk-sign',
  'determinations/checks-summary',
  'determinations/determination-page',
  'determinations/evidence-graph',
  'determinations/price-plot',
  'determinations/verdicts-page',
  'html/error-page',
  'html/filters',
  'html/layout',
  'market/catalogue-page',
  'market/custody',
  'market/lot-page',
  'market/sales-plot',
  'names/names-page',
  'records/record-page',
  'service/health-page',
  'service/home-page',
  'service/pricing-page',
];

describe('the words of pages', () => {
  it.each(PAGES)('stand in one place, and not in %s', (page) => {
    expect(wordsIn(readFileSync(new URL(`../${page}.ts`, import.meta.url), 'utf8'))).toEqual([]);
  });

  it('are found in text, in what is read out, and in strings', () => {
    const hole = '$' + '{WORDS.none}';
    expect(wordsIn(`html\`<p class="a b">Hello ${hole}</p>\``)).toEqual(['Hello \u0000']);
    expect(wordsIn('html`<img alt="A picture" class="wide">`')).toEqual(['A picture']);
    expect(wordsIn("label('Sold', 'clean')")).toEqual(['Sold']);
    expect(wordsIn(`html\`<p class="soft">${hole}</p>\``)).toEqual([]);
  });
});

/** A node of the syntax tree: whatever it is, its parts are looked through. */
type Node = Readonly<Record<string, unknown>>;

const LETTERS = /\p{L}{2,}/u;
/** What a template says: its text, and the attributes that are read to people. */
const SAID = /(?:aria-label|alt|placeholder|title|data-live)="([^"]*)"/g;

/**
 * Finds what a page says by itself: text in its `html` templates, and strings of several words or with a capital. A page
 * whose words stand in api/words has none.
 */
function wordsIn(source: string): string[] {
  const found: string[] = [];
  visit(parseSync(source, { syntax: 'typescript', target: 'es2022' }) as unknown as Node, found);
  return found;
}

function visit(node: unknown, found: string[]): void {
  if (Array.isArray(node)) {
    for (const part of node) visit(part, found);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  const { type } = node as Node;
  if (type === 'ImportDeclaration' || type === 'TsLiteralType' || type === 'ExportNamedDeclaration') return;
  if (type === 'TemplateLiteral') found.push(...templateWords(node as Node));
  if (type === 'StringLiteral') found.push(...plainWords(String((node as Node).value)));
  for (const part of Object.values(node)) visit(part, found);
}

/** Placeholders keep their place, so that one between two tags is not read as text. */
function templateWords({ quasis }: Node): string[] {
  const text = (quasis as { cooked: string }[]).map((q) => q.cooked).join('\u0000');
  const read = [...text.matchAll(SAID)].map(([, words = '']) => words);
  const bare = text.replace(/<code>[^<]*<\/code>/g, '').replace(/<[^>]*>/g, '\n');
  const parts = bare.includes('\n') ? bare.split('\n') : [];
  return [...read, ...parts].filter((words) => LETTERS.test(words)).map((words) => words.trim());
}

/** Names of classes, fields and paths are of one word, or have no capital; amounts end in Usd. */
function plainWords(text: string): string[] {
  const isSentence = text !== 'Usd' && (/^\p{Lu}\p{Ll}+/u.test(text) || /\p{L}+ \p{L}+ \p{L}+/u.test(text));
  return isSentence ? [text] : [];
}

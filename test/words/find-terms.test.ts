import { describe, expect, it } from 'vitest';
import { findTerms } from './find-terms.ts';
import { identifiersOf, wordsOf } from './identifiers.ts';

const names = (source: string): string[] => identifiersOf(source).map(({ name }) => name);

describe('the identifiers of a source', () => {
  it('are found outside comments, strings and regular expressions only', () => {
    expect(names("// one\nconst a = 'two \\' three'; /* four\n */ b(/five[/]six/g, c / d / e);")).toEqual([
      'const',
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
  });

  it('are found inside the expressions of templates, however deep', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    expect(names('x(`one ${a({ b: `two ${c} three` })} four`, d)')).toEqual(['x', 'a', 'b', 'c', 'd']);
  });

  it('carry the line on which they begin', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    expect(identifiersOf('a;\n/*\n*/ b;\n`\n${c}`').map(({ line }) => line)).toEqual([1, 3, 5]);
  });
});

describe('the words of a name', () => {
  it.each([
    ['placeOrder', ['place', 'order']],
    ['MAILBOX_LANE', ['mailbox', 'lane']],
    ['readHTTPHeader2', ['read', 'http', 'header2']],
    ['dead-letters', ['dead', 'letters']],
  ])('of %s are told apart', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });
});

describe('a term of the left column', () => {
  it('is found as a whole word of an identifier, with its file and line', () => {
    expect(findTerms('api/a.ts', '\nopenBellQueue(label);')).toMatchObject([
      { path: 'api/a.ts', line: 2, name: 'openBellQueue' },
    ]);
  });

  it('is found in the name of a file', () => {
    expect(findTerms('runtime/webhooks/courier.ts', '')).toMatchObject([{ line: 0, name: 'courier' }]);
  });

  it('is let pass where it means something else', () => {
    expect(findTerms('agents/market/book.ts', 'bidRing(book, lot)')).toEqual([]);
    expect(findTerms('runtime/durable/jobs/a.ts', 'ringAgain(book)')).toHaveLength(2);
  });

  it('is let pass as the name of a database column', () => {
    expect(findTerms('runtime/durable/actors/a.ts', 'row.next_batch_at')).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';
import {
  MARKUP,
  NAME_COMMANDS,
  THIRD_PARTY,
  TO_THE_READER,
} from '../agents/mandate/screening/injection-patterns.ts';

/**
 * No regular expression of the service may take more than linear time on any text: most of them read what strangers
 * sent. Judged by the shape of each expression (scslre: exponential and polynomial backtracking, and searches that start
 * again at every place), so that no clock decides.
 */

const ROOTS = ['agents', 'api', 'chain', 'runtime', 'store'];

interface Expression {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Why an expression is not linear, as words; nothing where it is. */
function faults({ source, flags }: Pick<Expression, 'source' | 'flags'>): string[] {
  return analyse({ source, flags }).reports.map(
    ({ type, exponential }) => `${exponential ? 'exponential' : 'polynomial'} (${type})`,
  );
}

function sourceFiles(): string[] {
  return ROOTS.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(root, name)),
  );
}

/** Every literal expression of a file, and every `new RegExp` or schema pattern whose text stands in it. */
function expressionsOf(file: string): Expression[] {
  const found: Expression[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, pattern, flags, key, value } = node as Record<string, unknown>;
    if (type === 'RegExpLiteral')
      found.push({ where: file, source: String(pattern), flags: String(flags ?? '') });
    const named = (key as { value?: unknown } | undefined)?.value;
    const text = value as { type?: string; value?: string } | undefined;
    if (type === 'KeyValueProperty' && named === 'pattern' && text?.type === 'StringLiteral')
      found.push({ where: file, source: text.value ?? '', flags: 'u' });
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2022' }).body);
  return found;
}

describe('the regular expressions of the service', () => {
  it('take linear time on any text', () => {
    const all = sourceFiles().flatMap(expressionsOf);
    expect(all.length).toBeGreaterThan(250);
    const wrong = all.flatMap((one) =>
      faults(one).map((fault) => `${one.where} /${one.source}/${one.flags}: ${fault}`),
    );
    expect(wrong).toEqual([]);
  });

  it('that look for attacks in a mandate do so too, though they are put together from pieces', () => {
    const built = [MARKUP, THIRD_PARTY, TO_THE_READER].flatMap(({ patterns }) => patterns);
    const all = [...built, NAME_COMMANDS].map(({ found }) => found);
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter((found) => faults(found).length > 0).map(String)).toEqual([]);
    // A bound does not help where the same characters can be divided in many ways: judged as if there were none.
    const unbounded = all.map(({ source }) => source.replace(/\{0,\d+\}/g, '*').replace(/\{1,\d+\}/g, '+'));
    expect(unbounded.filter((source) => faults({ source: `^${source}`, flags: 'i' }).length > 0)).toEqual([]);
  });

  it.each(['(a+)+$', '(?:\\d[\\d,.]*\\s*k?\\s*)*x', '^\\d+\\.?\\d*$', '\\s*$', '^(.*)(.*)$'])(
    'would not be let in as /%s/',
    (source) => {
      expect(faults({ source, flags: 'i' })).not.toEqual([]);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { readable } from './readable.ts';

describe('the words of a stranger', () => {
  it('are kept short, on one line, and without what a database refuses', () => {
    expect(readable('the node refused')).toBe('the node refused');
    expect(readable('a\u0000\u0000b\r\nc\u2028d')).toBe('a b c d');
    expect(readable('half \ud83d of a pair, \udc00 and a whole \ud83d\ude00')).toBe(
      'half \ufffd of a pair, \ufffd and a whole \ud83d\ude00',
    );
    expect(readable('x'.repeat(1_000_000))).toBe(`${'x'.repeat(500)}…`);
    expect(readable(`${'x'.repeat(499)}\ud83d\ude00`)).toBe(`${'x'.repeat(499)}\ufffd…`);
  });
});

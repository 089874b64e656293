import { describe, expect, it } from 'vitest';
import { changelogPage } from './developers.ts';

describe('the changelog as a page', () => {
  it('has its chapters as headings, its points as a list, code as code, and no mark of its source', () => {
    const { text } = changelogPage(
      '# Changelog\n\nSaid before.\n\n## Next\n\n### For people\n\n* One, over\n  two lines.\n* `GET /x` ([how](docs/x.md)).\n\n### For owners\n\n* Two.\n',
    );
    const [, shown] = /<main[^>]*>([\s\S]*?)<\/main>/.exec(text) ?? [];
    expect(shown?.trim()).toBe(
      '<h1>Changelog</h1><section><h2>Next</h2><h3>For people</h3><ul><li>One, over two lines.</li><li><code>GET /x</code> (how).</li></ul><h3>For owners</h3><ul><li>Two.</li></ul></section>',
    );
  });
});

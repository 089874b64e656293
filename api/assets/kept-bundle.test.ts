import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keepBundle, keptBundle } from './kept-bundle.ts';

describe('a bundle for browsers that is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handshake-pages-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const place = join(folder, 'cache', 'bundle.json');
  const source = join(folder, 'page.ts');
  const files = [{ name: 'page-1.js', bytes: Buffer.from('let a'), gzip: Buffer.from([31, 139]) }];

  it('is the same for the next process while what it was made of is, and gone once that changes', () => {
    expect(keptBundle(place)).toBeNull();
    writeFileSync(source, 'let a');
    keepBundle([source], files, place);
    expect(keptBundle(place)).toEqual(files);
    writeFileSync(source, 'let b');
    expect(keptBundle(place)).toBeNull();
    writeFileSync(source, 'let a');
    expect(keptBundle(place)).toEqual(files);
    rmSync(source);
    expect(keptBundle(place)).toBeNull();
  });

  it('is made anew where it was cut off', () => {
    writeFileSync(place, '{"key":"');
    expect(keptBundle(place)).toBeNull();
  });

  it('is not kept where nothing can be written, which harms nobody', () => {
    writeFileSync(source, 'let a');
    expect(() => keepBundle([source], files, join(source, 'under-a-file.json'))).not.toThrow();
  });
});

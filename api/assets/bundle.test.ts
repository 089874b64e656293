import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { assets } from './bundle.ts';

const KB = 1_000;

describe('what browsers load', () => {
  const { byName, path } = assets();
  const scripts = [...byName.values()].filter(({ name }) => name.endsWith('.js'));
  const nameOf = (source: string) => path(source).replace('/assets/', '');

  /** A script and everything that it imports before it runs. */
  function atOnce(name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found;
    found.add(name);
    const text = byName.get(name)!.bytes.toString();
    for (const [, next] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) atOnce(next!, found);
    return found;
  }
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + byName.get(name)!.gzip.length, 0);

  it('is at most 25 kB of script without a wallet, and 110 kB with all of it', () => {
    expect(sizeOf(atOnce(nameOf('page.js')))).toBeLessThanOrEqual(25 * KB);
    expect(sizeOf(scripts.map(({ name }) => name))).toBeLessThanOrEqual(110 * KB);
  });

  it('has a hash of its bytes in its name, and is packed without loss', () => {
    for (const { name, bytes, gzip } of byName.values()) {
      expect(name).toMatch(/-[A-Za-z0-9]{8}\.\w+$/);
      expect(gunzipSync(gzip).equals(bytes)).toBe(true);
    }
    expect(() => path('nothing.js')).toThrow('api/browser has no nothing.js');
  });

  it('evaluates no text as script, and loads nothing from elsewhere', () => {
    for (const { name, bytes } of scripts) {
      const text = bytes.toString();
      expect([name, /\beval\(|new Function\(/.test(text)]).toEqual([name, false]);
      expect([name, /import\("https?:/.test(text)]).toEqual([name, false]);
    }
  });
});

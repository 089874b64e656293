import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivately, replacePrivately } from './private-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('a private file', () => {
  it("is its user's alone, also where one that all might read stood there before", () => {
    const file = join(folder, 'a.json');
    writeFileSync(file, 'old', { mode: 0o666 });
    replacePrivately(file, 'new');
    expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual([0o600, 'new']);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('takes the place of a link, and leaves what the link leads to', () => {
    const [file, other] = [join(folder, 'a.json'), join(folder, 'other')];
    writeFileSync(other, 'theirs', { mode: 0o666 });
    symlinkSync(other, file);
    replacePrivately(file, 'ours');
    expect([readFileSync(other, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['theirs', 'ours']);
  });

  it('that stands is not made anew', () => {
    const file = join(folder, 'a.json');
    expect(createPrivately(file, 'first')).toBe(true);
    expect(createPrivately(file, 'second')).toBe(false);
    expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual([0o600, 'first']);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('that cannot be written leaves the old one whole, and nothing else', () => {
    expect(() => replacePrivately(join(folder, 'no', 'a.json'), 'x')).toThrow(/ENOENT/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

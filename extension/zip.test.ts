import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zip } from './zip.ts';

const LIST = `import json,sys,zipfile
z=zipfile.ZipFile(sys.argv[1]); print(json.dumps([z.testzip(), {n: z.read(n).decode() for n in z.namelist()}]))`;

describe('the archive', () => {
  it('is read by another program, name by name and byte by byte', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zip-'));
    try {
      const files = { 'manifest.json': '{}', 'a.js': 'x'.repeat(100_000), 'empty.css': '', 'ü.txt': 'ü' };
      const entries = Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
      writeFileSync(join(folder, 'a.zip'), zip(entries));
      const told = execFileSync('python3', ['-c', LIST, join(folder, 'a.zip')], { encoding: 'utf8' });
      expect(JSON.parse(told)).toEqual([null, files]);
      expect(zip(entries).equals(zip(entries))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

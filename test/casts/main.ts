import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOUNDARIES, castsIn } from './find.ts';

/** `npm run check:casts`: no type is put aside outside the boundaries, and no boundary stands that is not needed. */
const found = new Map<string, number[]>();
const paths = ['agents', 'runtime', 'api', 'chain', 'store', 'extension'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
);
for (const path of paths.sort()) {
  if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
  const lines = castsIn(readFileSync(path, 'utf8'));
  if (lines.length > 0) found.set(path, lines);
}
const faults = [
  ...[...found]
    .filter(([path]) => !BOUNDARIES.includes(path))
    .flatMap(([path, lines]) => lines.map((line) => `${path}:${line} puts a type aside: type it`)),
  ...BOUNDARIES.filter((path) => !found.has(path)).map((path) => `${path} is a boundary that none needs`),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

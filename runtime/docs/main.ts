import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MACHINES } from '../machines.ts';
import { statechartPages } from './statecharts.ts';

/** `npm run docs`: makes the pages under docs/ that follow from the code. */
for (const { path, text } of await statechartPages(MACHINES)) {
  const file = new URL(`../../docs/${path}`, import.meta.url);
  mkdirSync(dirname(file.pathname), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`docs/${path}\n`);
}

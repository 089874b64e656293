import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { HELP_FILE } from '../cli/help.ts';
import { MACHINES } from '../machines.ts';
import { helpPage } from './help-page.ts';
import { statechartPages } from './statecharts.ts';

/** `npm run docs`: makes what follows from the code: pages under docs/, and the help of the command line. */
for (const { path, text } of await statechartPages(MACHINES)) {
  const file = new URL(`../../docs/${path}`, import.meta.url);
  mkdirSync(dirname(file.pathname), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`docs/${path}\n`);
}
writeFileSync(HELP_FILE, await helpPage());
process.stdout.write('runtime/cli/help.json\n');

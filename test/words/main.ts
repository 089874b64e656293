import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findTerms } from './find-terms.ts';

/** `npm run check:words`: names each identifier and file that has another name than the field's; ends with code 1. */
const tracked = execFileSync('git', ['ls-files', '-z', '--', '*.ts'], { encoding: 'utf8' });
const paths = tracked.split('\0').filter((path) => path !== '' && existsSync(path));
const found = paths.flatMap((path) => findTerms(path, readFileSync(path, 'utf8')));
for (const { path, line, name, instead } of found) {
  process.stderr.write(`${path}${line === 0 ? '' : `:${line}`}: ${name} (write: ${instead})\n`);
}
if (found.length > 0) process.exitCode = 1;

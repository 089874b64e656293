/** `npm run extension -- [--service <url>] [--signer <address>]`: makes `dist/extension/` and the same as a zip archive. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildExtension } from './build.ts';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

const { values } = parseArgs({
  options: { service: { type: 'string', default: 'http://127.0.0.1:4021' }, signer: { type: 'string' } },
});
const folder = join(DIST, 'extension');
const archive = `${folder}.zip`;
const bytes = buildExtension({ folder, service: values.service, signer: values.signer ?? null });
writeFileSync(archive, bytes);
process.stdout.write(`${folder}\n${archive}, ${Math.round(bytes.length / 1000)} kB\n`);

/** `npm run extension -- [--service <url>] [--signer <address>]`: makes `dist/extension/` and the same as a zip archive. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExtension } from './build.ts';
import { extensionCommand } from './command.ts';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

extensionCommand((built) => {
  const folder = join(DIST, 'extension');
  const archive = `${folder}.zip`;
  const bytes = buildExtension({ folder, ...built });
  writeFileSync(archive, bytes);
  process.stdout.write(`${folder}\n${archive}, ${Math.round(bytes.length / 1000)} kB\n`);
})
  // Wrong usage ends with 2, as of every other command.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../store/embedded.ts';
import { migrate } from '../../store/migrate.ts';
import { GENERATED, generateTables } from './generate.ts';

/** `npm run schema`: writes the table types anew, after a change to the migrations. */
const dataDir = mkdtempSync(join(tmpdir(), 'handshake-schema-'));
// The server may run as another account than ours.
chmodSync(dataDir, 0o755);
const server = await startPostgres({ dataDir, randomHex: (bytes) => randomBytes(bytes).toString('hex') });
try {
  await migrate(server.url);
  writeFileSync(GENERATED, await generateTables(server.url));
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

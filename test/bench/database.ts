import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../store/database.ts';
import { startPostgres } from '../../store/embedded.ts';
import { migrate } from '../../store/migrate.ts';

/** A Postgres of the bench's own, with the schema, for as long as `use` takes. */
export async function withDatabase<T>(connections: number, use: (db: Database) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handshake-bench-'));
  // Postgres, run by root, serves as another user, who must be able to pass through.
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, randomHex: (bytes) => randomBytes(bytes).toString('hex') });
  try {
    await migrate(server.url);
    const db = openDatabase(server.url, { max: connections });
    try {
      return await use(db);
    } finally {
      await db.destroy();
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

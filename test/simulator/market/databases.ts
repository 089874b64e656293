import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, openDatabase } from '../../../store/database.ts';
import { startPostgres } from '../../../store/embedded.ts';
import { migrate } from '../../../store/migrate.ts';

/** Gives each market a migrated database of its own while it runs. */
export type WithDatabase = <T>(use: (db: Database) => Promise<T>) => Promise<T>;

const TEMPLATE = 'market_template';

/** Runs Postgres for as long as `use` takes. Durability is off, because no data outlives the run. */
export async function withDatabases<T>(use: (withDatabase: WithDatabase) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handshake-markets-'));
  // Postgres, started by root, runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({
    dataDir,
    randomHex: (bytes) => randomBytes(bytes).toString('hex'),
    flags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'],
  });
  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const called = (name: string): string => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const end = async (): Promise<void> => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  // The server is a separate daemon, so an interrupted run must stop it.
  const interrupted = (): void => void end().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    await administer(`create database ${TEMPLATE}`);
    await migrate(called(TEMPLATE));
    let count = 0;
    return await use(async (run) => {
      const name = `market_${++count}`;
      await administer(`create database ${name} template ${TEMPLATE}`);
      const db = openDatabase(called(name), { max: 6 });
      try {
        return await run(db);
      } finally {
        await db.destroy();
      }
    });
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await end();
  }
}

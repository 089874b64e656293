import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../store/embedded.ts';

export interface BenchServer {
  readonly url: string;
  /** In words, for the table. */
  readonly about: string;
  stop(): Promise<void>;
}

/** Statements are counted by the server itself, at the cost of some microseconds each. */
const COUNTING = ['-c shared_preload_libraries=pg_stat_statements'];

/** A Postgres of the bench's own, as the service starts it: durable, nothing switched off. */
export async function benchServer({ counting = false } = {}): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handshake-bench-'));
  chmodSync(dataDir, 0o755);
  const randomHex = (bytes: number) => randomBytes(bytes).toString('hex');
  const server = await startPostgres({ dataDir, randomHex, flags: counting ? COUNTING : [] });
  return {
    url: server.url,
    about: 'the embedded Postgres',
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A new database on the server that DATABASE_URL names, dropped at the end; else on an embedded one. */
export async function benchDatabase(): Promise<BenchServer> {
  const given = process.env.DATABASE_URL ?? '';
  if (given === '') return await benchServer({ counting: true });
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const url = new URL(given);
  url.pathname = `/${name}`;
  await administer(given, `create database ${name}`);
  return {
    url: url.href,
    about: `the Postgres of ${url.host}`,
    stop: () => administer(given, `drop database if exists ${name} with (force)`),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const db = new pg.Client(url);
  await db.connect();
  try {
    await db.query(statement);
  } finally {
    await db.end();
  }
}

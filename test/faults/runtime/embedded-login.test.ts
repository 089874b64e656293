import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedServer, findPostgres, startPostgres } from '../../../store/embedded.ts';
import { EMBEDDED_ROLE, embeddedLogin } from '../../../store/embedded-login.ts';
import { migrate } from '../../../store/migrate.ts';
import { queryOnce } from '../../fixtures/query-once.ts';

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
const REFUSED = '42501';

let dataDir: string;
let server: EmbeddedServer;
let login: string;
const folder = (): string => join(dataDir, 'postgres');

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'handshake-login-'));
  server = await startPostgres({ dataDir, randomHex });
  // As an earlier release left it: everything is the server's own user's.
  await migrate(server.url);
  await queryOnce(server.url, 'create schema bullmq');
  await queryOnce(server.url, 'create table bullmq.jobs (id bigserial primary key)');
  await queryOnce(server.url, "create type bullmq.state as enum ('waiting')");
  login = await embeddedLogin(server.url, folder(), randomHex);
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the service at its embedded server', () => {
  it('owns all that an earlier release made there, and makes its own', async () => {
    const others = await queryOnce(
      server.url,
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'bullmq') and c.relkind <> 'i' and c.relowner <> '${EMBEDDED_ROLE}'::regrole
       union all select t.typname from pg_type t join pg_namespace n on n.oid = t.typnamespace
        where n.nspname in ('public', 'bullmq') and t.typowner <> '${EMBEDDED_ROLE}'::regrole
       union all select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'bullmq') and p.proowner <> '${EMBEDDED_ROLE}'::regrole`,
    );
    expect(others).toEqual([]);
    await queryOnce(login, 'alter table deals add column note text');
    await queryOnce(login, 'create schema another');
    await queryOnce(login, 'insert into bullmq.jobs default values');
    expect(await migrate(login)).toEqual([]);
  });

  it('is no superuser: it reads no file, runs no program, makes no role and sets nothing of the server', async () => {
    for (const statement of [
      "select pg_read_file('PG_VERSION')",
      "copy deals to program 'cat'",
      "copy deals from '/etc/passwd'",
      'create role another',
      'create database another',
      "alter system set log_statement = 'all'",
      'set session_replication_role = replica',
      'alter role postgres password null',
    ])
      await expect(queryOnce(login, statement), statement).rejects.toMatchObject({ code: REFUSED });
  });

  it('keeps its password to itself, and commands of this machine log in as it', async () => {
    expect(statSync(join(folder(), 'service-password')).mode & 0o077).toBe(0);
    expect(await findPostgres(dataDir)).toBe(login);
    const stranger = Object.assign(new URL(login), { password: 'wrong' });
    await expect(queryOnce(stranger.href, 'select 1')).rejects.toThrow(/password/);
  });

  it('logs in as before after the next start', async () => {
    await server.stop();
    server = await startPostgres({ dataDir, randomHex });
    const again = new URL(await embeddedLogin(server.url, folder(), randomHex));
    expect([again.username, again.password]).toEqual([EMBEDDED_ROLE, new URL(login).password]);
    expect(await queryOnce(again.href, 'select current_user as name')).toEqual([{ name: EMBEDDED_ROLE }]);
  });
});

describe.skipIf(process.getuid?.() !== 0)('a data folder that Postgres’ user cannot reach', () => {
  const closed = mkdtempSync(join(tmpdir(), 'handshake-closed-'));
  const within = join(closed, 'data');
  const there = (): string => readFileSync(join(within, 'postgres', 'place'), 'utf8').trim();
  afterAll(() => {
    rmSync(there(), { recursive: true, force: true });
    rmSync(closed, { recursive: true, force: true });
  });

  it('has its database elsewhere, where commands of this machine find it and later starts as well', async () => {
    mkdirSync(within, { mode: 0o700 });
    const first = await startPostgres({ dataDir: within, randomHex });
    const own = await embeddedLogin(first.url, join(within, 'postgres'), randomHex);
    await queryOnce(own, 'create table kept (id int)');
    expect(await findPostgres(within)).toBe(own);
    await first.stop();
    expect(await findPostgres(within)).toBeNull();
    chmodSync(closed, 0o755);
    const second = await startPostgres({ dataDir: within, randomHex });
    expect(await queryOnce(second.url, "select to_regclass('kept')::text as name")).toEqual([
      { name: 'kept' },
    ]);
    await second.stop();
  });

  it('is refused, and nobody is given an empty one, where the way to its database was closed', async () => {
    const open = mkdtempSync(join(tmpdir(), 'handshake-shut-'));
    chmodSync(open, 0o755);
    const data = join(open, 'data');
    mkdirSync(data);
    const running = await startPostgres({ dataDir: data, randomHex });
    await running.stop();
    chmodSync(open, 0o700);
    await expect(startPostgres({ dataDir: data, randomHex })).rejects.toThrow('cannot be reached any more');
    rmSync(open, { recursive: true, force: true });
  });
});

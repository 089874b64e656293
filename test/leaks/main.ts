import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';
import { benchServer } from '../bench/server.ts';
import { compare } from './compare.ts';
import { writeTrade } from './service-script.ts';
import { serviceTheatre } from './service-theatre.ts';
import { theatre } from './theatre.ts';

/**
 * `npm run leaks -- --histories 2000 [--from N]` runs that many histories twice, with different limits, floors and
 * rooms that give the same price to beat and the same matches, and compares every public byte. The exit code is 1 when
 * one differs. With `--services` two whole services run them, with their chains, through the public interface; by
 * default ten histories.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string' },
    from: { type: 'string', default: '0' },
    services: { type: 'boolean', default: false },
  },
});

const server = await benchServer();
const open = async (name: string) => {
  const admin = openDatabase(server.url, { max: 1 });
  await sql.raw(`create database ${name}`).execute(admin);
  // No data outlives the run.
  await sql.raw(`alter database ${name} set synchronous_commit = off`).execute(admin);
  await admin.destroy();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return { url: url.href, db: openDatabase(url.href, { max: 4 }) };
};
try {
  const databases = [await open('one'), await open('other')] as const;
  const { services } = values;
  const [one, other] = await Promise.all(
    databases.map((d) => (services ? serviceTheatre(d) : theatre(d.db))),
  );
  const stages = [one!, other!] as const;
  const { leak, ...sum } = await compare(stages, {
    from: Number(values.from),
    histories: Number(values.histories ?? (services ? 10 : 1000)),
    ...(services ? { write: writeTrade } : {}),
  });
  for (const stage of stages) await stage.stop();
  for (const { db } of databases) await db.destroy();
  process.stdout.write(`${JSON.stringify(sum)}\n`);
  if (leak === null) process.stdout.write('nothing differs\n');
  else {
    const text = JSON.stringify(leak, (_, v) => (typeof v === 'bigint' ? String(v) : v), 2);
    process.stderr.write(`the public can tell them apart: ${text}\n`);
    process.exitCode = 1;
  }
} finally {
  await server.stop();
}

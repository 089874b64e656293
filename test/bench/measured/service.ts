import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { migrate } from '../../../store/migrate.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Story, storyOn } from '../../fixtures/story-stage.ts';
import { benchDatabase } from '../server.ts';
import { countsStatements, type Observed } from './usage.ts';

/** The whole service as an operator starts it, on a database of the bench's own, and whoever looks at it. */
export interface MeasuredService extends Observed {
  readonly folder: ServiceFolder;
  readonly story: Story;
  readonly databaseUrl: string;
  /** On which database, in words. */
  readonly about: string;
  /** The home chain's node. */
  readonly rpcUrl: string;
  /** Takes the CPU profile of what is done meanwhile. @param file where it is written: a `.cpuprofile` */
  profiled<T>(file: string, act: () => Promise<T>): Promise<T>;
}

const CONTROL = new URL('./control.ts', import.meta.url).href;

/**
 * Starts a service, and ends it with everything around it after `use`.
 * @param prepare what is done to the migrated database before the service starts
 */
export async function withService<T>(
  { env = {}, prepare }: { env?: Record<string, string>; prepare?: (url: string) => Promise<void> },
  use: (service: MeasuredService) => Promise<T>,
): Promise<T> {
  const database = await benchDatabase();
  const folder = await serviceFolder({ preload: CONTROL });
  const db = new pg.Client(database.url);
  try {
    await migrate(database.url);
    await prepare?.(database.url);
    await db.connect();
    const counting = await countsStatements(db);
    const socket = join(folder.dataDir, 'bench.sock');
    await folder.start({ DATABASE_URL: database.url, BENCH_CONTROL: socket, ...env });
    const running = findRunning(folder.dataDir)!;
    return await use({
      folder,
      db,
      counting,
      story: storyOn(folder),
      databaseUrl: database.url,
      about: database.about,
      pid: running.pid,
      rpcUrl: running.chains['1002']!.rpcUrl,
      countedByNode: async () => Number(await told(socket, '/queries')),
      async profiled(file, act) {
        mkdirSync(join(file, '..'), { recursive: true });
        await told(socket, '/profile/start');
        try {
          return await act();
        } finally {
          await told(socket, '/profile/stop', file);
        }
      },
    });
  } finally {
    await db.end();
    await folder.remove();
    await database.stop();
  }
}

function told(socketPath: string, path: string, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, method: 'POST' }, (response) => {
      let text = '';
      response.on('data', (part) => (text += String(part)));
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

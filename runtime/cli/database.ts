import { type Database, openDatabase } from '../../store/database.ts';
import { findPostgres } from '../../store/embedded.ts';
import type { Config } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';

/**
 * The URL of the service's database: the configured one, or the one that runs on the data folder.
 * @throws StartError
 */
async function databaseUrlOf(config: Config): Promise<string> {
  const url = config.databaseUrl ?? (await findPostgres(config.dataDir));
  if (url === null)
    throw new StartError(`No database runs on ${config.dataDir}: start the service, or set DATABASE_URL.`);
  return url;
}

/**
 * Opens that database for `work`, and closes it afterwards even when `work` throws.
 * @throws StartError when none runs
 */
export async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(await databaseUrlOf(config), { max: 2 });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

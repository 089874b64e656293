import { findPostgres } from '../../store/embedded.ts';
import type { Config } from '../config.ts';
import { StartError } from '../start-error.ts';

/** The database of the service: the one that is configured, or the one that runs on the data folder. @throws StartError */
export async function databaseUrlOf(config: Config): Promise<string> {
  const url = config.databaseUrl ?? (await findPostgres(config.dataDir));
  if (url === null)
    throw new StartError(`No database runs on ${config.dataDir}: start the service, or set DATABASE_URL.`);
  return url;
}

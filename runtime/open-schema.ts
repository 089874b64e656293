import { migrate } from '../store/migrate.ts';
import { messageOf, StartError } from './config/start-error.ts';

/** What to do where the database answers, by what it answers (SQLSTATE, Postgres manual, appendix A). */
const REMEDIES: Readonly<Record<string, string>> = {
  '28000': 'set in DATABASE_URL a login that it admits',
  '28P01': 'set the password of this login in DATABASE_URL',
  '3D000': 'create it, or set DATABASE_URL to another',
  '42501':
    'its schema is of another release, and this login may not change tables: start one process of this release as the login that migrates, before the others',
};

/**
 * Brings the schema up to this release.
 * @throws StartError naming where the database was looked for, without its password, and what to do
 */
export async function openSchema(databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    const remedy =
      REMEDIES[(cause as { code?: string }).code ?? ''] ?? 'start it, or set DATABASE_URL to another';
    throw new StartError(
      `The database at ${host}${pathname} cannot be used (${messageOf(cause)}): ${remedy}.`,
      {
        cause,
      },
    );
  }
}

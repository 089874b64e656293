import { migrate, NewerSchema } from '../store/migrate.ts';
import { messageOf, StartError } from './config/start-error.ts';

const AWAY = 'start it, or set DATABASE_URL to another';
/** What to do, by what the database answers (SQLSTATE, Postgres manual, appendix A). */
const REMEDIES: Readonly<Record<string, string>> = {
  '28000': 'set in DATABASE_URL a login that it admits',
  '28P01': 'set the password of this login in DATABASE_URL',
  '3D000': 'create it, or set DATABASE_URL to another',
  '53300': 'give it more connections, or this service fewer processes',
  '57P03': AWAY,
  '42501':
    'its schema is of another release, and this login may not change tables: start one process of this release as the login that migrates, before the others',
};

/** Codes of the system, such as EPIPE, are of five letters, too; no class of SQLSTATE begins with an E. Null where what is wrong says itself what to do. */
export function remedyOf(cause: unknown): string | null {
  if (cause instanceof NewerSchema) return null;
  const { code = '' } = cause as { code?: string };
  const isAnswer = /^(?!E)[0-9A-Z]{5}$/.test(code) && !code.startsWith('08');
  return REMEDIES[code] ?? (isAnswer ? 'its schema is as it was before this start' : AWAY);
}

/**
 * Brings the schema up to this release.
 * @throws StartError naming where the database was looked for, without its password, and what to do
 */
export async function openSchema(databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    const says = [messageOf(cause), remedyOf(cause)].filter((part) => part !== null).join('; ');
    throw new StartError(`The database at ${host}${pathname} cannot be used: ${says}.`, { cause });
  }
}

import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { forgetProcess, type ProcessRow, tellProcess } from '../../store/durable/processes.ts';
import { every } from '../durable/workers/every.ts';

const TELL_MS = 5_000;

/**
 * Says again and again that this process runs, and what it takes the chains for: `doctor` compares it with the others.
 * @returns how to end it
 */
export async function announceProcess(
  db: Database,
  self: ProcessRow,
  log: Pick<Logger, 'warn'>,
): Promise<() => Promise<void>> {
  await tellProcess(db, self);
  const telling = every(TELL_MS, () => tellProcess(db, self), log);
  return async () => {
    await telling.stop();
    // A process must end also where its database has gone; its row is removed by the others.
    await forgetProcess(db, self.id).catch(() => {});
  };
}

import { archiveRecords } from '../../store/records/archive.ts';
import type { RecurringJob } from '../durable/jobs/recurring-job.ts';
import type { Services } from '../services.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So many steps at most in one run: what is left waits for the next, which follows at once. */
const MOST_STEPS = 50;
const SOON_MS = 1_000;

/** Moves records that are older than RECORD_DAYS to the archive, where they are served from as before. */
export function archiveRecordsJob({
  db,
  now,
  config,
}: Pick<Services, 'db' | 'now' | 'config'>): RecurringJob {
  return {
    kind: 'archive-records',
    lane: 'upkeep',
    items: config.recordDays > 0 ? ['all'] : [],
    everyMs: HOUR_MS,
    async run() {
      const before = new Date(now().getTime() - config.recordDays * DAY_MS);
      for (let n = 0; n < MOST_STEPS; n++) {
        if ((await archiveRecords(db, before)) === 0) return undefined;
      }
      return { afterMs: SOON_MS };
    },
  };
}

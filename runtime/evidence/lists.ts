import type { RegisterState } from '../../agents/determinations/lists.ts';
import { MAX_AGE_DAYS } from '../../agents/determinations/register-row.ts';
import type { Database } from '../../store/database.ts';
import { listsOf, lookUp } from '../../store/registers.ts';

/** The register as it stands now, and the hits among these keys (spelled as the register spells them). */
export async function gatherRegister(
  db: Database,
  register: RegisterState['register'],
  keys: readonly string[],
): Promise<RegisterState> {
  const lookedUp = [...new Set(keys)].sort();
  const [lists, hits] = await Promise.all([listsOf(db, register), lookUp(db, register, lookedUp)]);
  return {
    register,
    maxAgeDays: MAX_AGE_DAYS[register],
    lists: lists.map((l) => ({ name: `${register}/${l.source}`, asOf: l.asOf.toISOString(), rows: l.rows })),
    lookedUp,
    hits: hits.map((h) => ({ key: h.key, list: `${register}/${h.source}` })),
  };
}

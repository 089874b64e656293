import { type RegisterState, unproved } from '../../../../agents/determinations/panel/lists.ts';
import type { Absence } from '../../../../agents/determinations/panel/sorted-tree.ts';
import { ALONE, type Party } from '../../../../store/asked-together.ts';
import type { Database } from '../../../../store/database.ts';
import { proofsOfAbsence } from '../../../../store/registers/register-trees.ts';

/** Whether each list either names the key or proves that it does not. */
export function isProved(states: readonly RegisterState[], key: string): boolean {
  return states.every(
    (state) => state.hits.some((hit) => hit.key === key) || unproved(state, key).length === 0,
  );
}

/**
 * The same registers with the proofs that what was looked up is not on their lists. A list that was replaced in the
 * moment between has another root, which its proofs do not fit, so that nothing is proved of it.
 */
export async function withProofs(
  db: Database,
  states: readonly RegisterState[],
  party: Party = ALONE,
): Promise<RegisterState[]> {
  const keys = [...new Set(states.flatMap((s) => s.lookedUp))].sort();
  const registers = states.map((s) => s.register);
  const about = `proofs of ${registers.join()}`;
  const proofs = await party.ask(about, keys, (all) => proofsOfAbsence(db, registers, all));
  return joined(
    states,
    proofs.filter(({ key }) => keys.includes(key)),
  );
}

/** As {@link withProofs}, of proofs that were read in the same moment. */
export function joined(states: readonly RegisterState[], proofs: readonly Absence[]): RegisterState[] {
  return states.map((state) => {
    const own = proofs.filter((p) => p.list.startsWith(`${state.register}/`));
    return own.length === 0 ? state : { ...state, proofs: own };
  });
}

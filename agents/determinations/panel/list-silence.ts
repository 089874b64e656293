import type { RegisterState } from './lists.ts';
import { unproved } from './lists.ts';

/** Whether one list of a record is proved not to name what was looked up on it. */
export interface ListSilence {
  readonly list: string;
  readonly root: string;
  /** How many addresses are not on it. */
  readonly keys: number;
  readonly ok: boolean;
}

/**
 * Checks, from a record's evidence alone, that each list with a root is silent on each address that was looked up and
 * not found. Evidence without such lists gives nothing; evidence of another form is not proved.
 */
export function listSilences(evidence: unknown): ListSilence[] {
  const kept = (evidence as { determinations?: unknown } | null)?.determinations;
  if (!Array.isArray(kept)) return [];
  const commons = kept.filter((d) => d?.id === 'wallet').map((d) => d.common as Partial<Looked> | undefined);
  return commons.flatMap((common) => [common?.sanctions, common?.knownScam].flatMap(silencesOf));
}

type Looked = Readonly<Record<'sanctions' | 'knownScam', RegisterState>>;

function silencesOf(register: RegisterState | undefined): ListSilence[] {
  if (!Array.isArray(register?.lists)) return [];
  return register.lists
    .filter((list) => list.root !== undefined && list.rows > 0)
    .map((list) => {
      const only = { lists: [list], ...(register.proofs === undefined ? {} : { proofs: register.proofs }) };
      const keys = register.lookedUp.filter(
        (key) => !register.hits.some((hit) => hit.key === key && hit.list === list.name),
      );
      const ok = keys.every((key) => unproved(only, key).length === 0);
      return { list: list.name, root: String(list.root), keys: keys.length, ok };
    });
}

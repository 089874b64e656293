import type { ListSource, RegisterState } from '../../../../agents/determinations/panel/lists.ts';
import { MAX_AGE_DAYS } from '../../../../agents/determinations/provenance/register-row.ts';
import { ALONE, type Party } from '../../../../store/asked-together.ts';
import type { Database } from '../../../../store/database.ts';
import {
  type Consulted,
  consult,
  type HeldList,
  type Retraction,
} from '../../../../store/registers/registers.ts';

type Register = RegisterState['register'];

/** The register now, and the hits among these keys (in the register's spelling). */
export async function gatherRegister(
  db: Database,
  register: Register,
  keys: readonly string[],
): Promise<RegisterState> {
  const [state] = await gatherRegisters(db, [register], keys);
  return state!;
}

/** As {@link gatherRegister} for several registers at one moment, in the given order. */
export async function gatherRegisters(
  db: Database,
  registers: readonly Register[],
  keys: readonly string[],
  party: Party = ALONE,
): Promise<RegisterState[]> {
  const [states] = await gatherRegistersOf(db, [{ registers, keys }], party);
  return states!;
}

/** As {@link gatherRegisters} of several questions, each with keys of its own, at one moment and by one statement. */
export async function gatherRegistersOf(
  db: Database,
  questions: readonly { readonly registers: readonly Register[]; readonly keys: readonly string[] }[],
  party: Party = ALONE,
): Promise<RegisterState[][]> {
  const all = new Set(questions.flatMap(({ keys }) => keys));
  const registers = [...new Set(questions.flatMap((asked) => asked.registers))];
  const about = registers.join();
  const found = await party.ask(about, [...all].sort(), (wanted) => consult(db, registers, wanted));
  return questions.map((asked) => {
    const lookedUp = [...new Set(asked.keys)].sort();
    return asked.registers.map((register) => stateOf(register, lookedUp, found.get(register)));
  });
}

function stateOf(register: Register, lookedUp: readonly string[], found?: Consulted): RegisterState {
  const asked = new Set(lookedUp);
  const hits = (found?.hits ?? []).filter(({ key }) => asked.has(key));
  const retracted = (found?.retracted ?? []).filter(({ key }) => asked.has(key));
  return {
    register,
    maxAgeDays: MAX_AGE_DAYS[register],
    lists: (found?.lists ?? []).map((l) => listSource(register, l)),
    ...missingOf(register, found?.missing ?? []),
    lookedUp,
    hits: hits.map((h) => ({
      key: h.key,
      list: `${register}/${h.source}`,
      ...(h.whose === null ? {} : { whose: h.whose }),
    })),
    ...(retracted.length === 0 ? {} : { retracted: retracted.map((r) => retraction(register, r)) }),
  };
}

/** The names of the lists that never came, as evidence names them. */
export function missingOf(register: Register, sources: readonly string[]): Pick<RegisterState, 'missing'> {
  return sources.length === 0 ? {} : { missing: sources.map((source) => `${register}/${source}`) };
}

function retraction(register: Register, { key, source, listedAt, retractedAt }: Retraction) {
  const [listed, until] = [listedAt.toISOString(), retractedAt.toISOString()];
  return { key, list: `${register}/${source}`, listed, until };
}

/** A stored list, as evidence names it. */
export function listSource(register: Register, list: HeldList): ListSource {
  const { source, asOf, rows, basis, minimum, synthetic, root } = list;
  return {
    ...{ name: `${register}/${source}`, asOf: asOf.toISOString(), rows, minimum },
    ...(basis === null ? { undated: true as const } : {}),
    ...(synthetic ? { synthetic: true as const } : {}),
    ...(root === null ? {} : { root }),
  };
}

import {
  EMPTY_LEAVES_OPEN,
  MAX_AGE_DAYS,
  REGISTERS,
  type Register,
} from '../../agents/determinations/provenance/register-row.ts';
import { countOf } from '../../agents/figures.ts';
import type { Database } from '../../store/database.ts';
import { allLists, listFetches } from '../../store/registers/register-fetches.ts';
import type { HeldList } from '../../store/registers/registers.ts';
import type { ListSource, RegisterSettings } from './settings.ts';

export interface ListStatus {
  readonly register: Register;
  readonly list: string;
  readonly rows: number;
  readonly asOf: string | null;
  /**
   * `stale`: too old to say "not listed"; `undated`: nobody says as of when it is complete; `short`: fewer rows than
   * declared; `failing`: still fresh, but the latest fetch failed; `missing`: never fetched.
   */
  readonly state: 'fresh' | 'stale' | 'undated' | 'short' | 'failing' | 'missing';
  /** Whose date `asOf` is. */
  readonly basis: 'published' | 'attested' | null;
  readonly minimum: number;
  readonly synthetic: boolean;
  readonly maxAgeDays: number;
  /** Of the latest fetch. */
  readonly fault: string | null;
}

const DAY_MS = 86_400_000;

/**
 * How every list stands that is held, or that is to be fetched, by these settings or by those of another process: what
 * never came of those keeps a register from saying "not listed" as well.
 */
export async function registerStatus(
  db: Database,
  sources: readonly ListSource[],
  now: Date,
): Promise<ListStatus[]> {
  const [lists, fetches] = await Promise.all([allLists(db), listFetches(db)]);
  const never = fetches.filter(({ succeededAt }) => succeededAt === null);
  const names = new Map(
    [...lists, ...never, ...sources.map(({ register, name }) => ({ register, source: name }))].map(
      ({ register, source }) => [`${register}/${source}`, { register, source }] as const,
    ),
  );
  return [...names]
    .map(([list, { register, source }]): ListStatus => {
      const held = lists.find((l) => l.register === register && l.source === source);
      // A list that is held, and not to be fetched any more, is not failing.
      const fetched = held === undefined || sources.some((s) => s.register === register && s.name === source);
      const last = fetched ? fetches.find((f) => f.register === register && f.source === source) : undefined;
      const maxAgeDays = MAX_AGE_DAYS[register];
      const fault = last?.fault ?? null;
      const stale = held !== undefined && now.getTime() - held.asOf.getTime() > maxAgeDays * DAY_MS;
      const state = stateOf(held, { stale, fault });
      const { basis = null, minimum = 1, synthetic = false, rows = 0 } = held ?? {};
      const asOf = basis === null ? null : (held?.asOf.toISOString() ?? null);
      return { register, list, rows, asOf, state, basis, minimum, synthetic, maxAgeDays, fault };
    })
    .sort((a, b) => (a.list < b.list ? -1 : 1));
}

function stateOf(
  held: HeldList | undefined,
  { stale, fault }: { stale: boolean; fault: string | null },
): ListStatus['state'] {
  if (held === undefined) return 'missing';
  if (held.basis === null) return 'undated';
  if (stale) return 'stale';
  if (held.rows < held.minimum) return 'short';
  return fault === null ? 'fresh' : 'failing';
}

/** Whether somebody may be said not to be on a register. Others only add what they name, as prices do. */
function saysNotListed(register: Register): boolean {
  return register !== 'comparables' && EMPTY_LEAVES_OPEN[register] !== undefined;
}

/**
 * Whether what a list does not name counts as not listed, and why not.
 * @returns null for a register that only adds what it names
 */
export function usableOf(list: ListStatus): { usable: boolean; why?: string } | null {
  if (!saysNotListed(list.register)) return null;
  const why = WHY_NOT[list.state](list);
  return why === null ? { usable: true } : { usable: false, why };
}

const WHY_NOT: Readonly<Record<ListStatus['state'], (list: ListStatus) => string | null>> = {
  fresh: () => null,
  failing: () => null,
  stale: ({ maxAgeDays }) => `older than ${countOf(maxAgeDays, 'day')}`,
  undated: () => 'of no date',
  short: ({ rows, minimum }) => `${countOf(rows, 'row')}, fewer than the ${minimum} of its minimum`,
  missing: () => 'nothing is held',
};

/** The registers without a row, and what each leaves INCONCLUSIVE: null where no check needs it, or others are asked. */
export function emptyRegisters(
  all: readonly ListStatus[],
  lookups: RegisterSettings['lookups'],
): { register: Register; says: string | null }[] {
  return REGISTERS.filter((register) => !all.some((l) => l.register === register && l.rows > 0)).map(
    (register) => {
      const open = EMPTY_LEAVES_OPEN[register];
      const asked = lookups.some((l) => l.register === register);
      return {
        register,
        says: open === undefined || asked ? null : `${register} is empty: ${open} is INCONCLUSIVE`,
      };
    },
  );
}

/**
 * The same as one part of the service's health: `degraded` while a list is stale, missing or failing. An empty register is
 * no fault, and is told with what it leaves INCONCLUSIVE.
 */
export async function registerHealth(
  db: Database,
  { sources, lookups }: Pick<RegisterSettings, 'sources' | 'lookups'>,
  now: Date,
): Promise<Readonly<Record<string, unknown>>> {
  const all = await registerStatus(db, sources, now);
  // A list that only adds what it names is no fault, as long as it is not one that is to be fetched.
  const wanted = new Set(sources.map((s) => `${s.register}/${s.name}`));
  const adds = (l: ListStatus) => ['undated', 'short'].includes(l.state) && !wanted.has(l.list);
  const empty = emptyRegisters(all, lookups);
  const open = empty.flatMap(({ says }) => says ?? []);
  const bad = all.filter((l) => l.state !== 'fresh' && !adds(l));
  return {
    ...(bad.length === 0
      ? {}
      : {
          status: 'degraded',
          detail: bad
            .map((l) => `${l.list} is ${l.state}${l.fault === null ? '' : `: ${l.fault}`}`)
            .join(', '),
        }),
    empty: empty.map(({ register }) => register),
    ...(open.length === 0 ? {} : { inconclusive: open.join('; ') }),
    lists: all.map(({ register: _, ...list }) => list),
  };
}

import { sql } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import { countOf } from '../../agents/figures.ts';
import { type Database, run, type Statement, type Trx, waitForLocks } from '../database.ts';
import { logOperatorAct, type OperatorAct } from '../operators/operator-log.ts';
import type { RegisterName } from '../tables.ts';
import { plantTree } from './register-trees.ts';

interface RegisterImport {
  readonly register: RegisterName;
  /** The list's name: one register may hold several lists. */
  readonly source: string;
  /** The publisher's date, or as of when somebody vouches that it is complete; null: nobody says. */
  readonly asOf: Date | null;
  /** Whose date that is; `attested` when left out. */
  readonly basis?: 'published' | 'attested';
  /** Left out: as it was declared before, or 1. */
  readonly minimum?: number;
  /** Left out: as it was before, or not. */
  readonly synthetic?: boolean;
  /** Of a list in the place of another: how many percent of its rows may be gone. Any, when left out. */
  readonly largestShrink?: number;
  /** `replace` drops the list's earlier rows: what is no longer on it is no longer found. */
  readonly mode: 'add' | 'replace';
  readonly rows: AsyncIterable<{ readonly key: string; readonly detail: object }>;
  /** For the operators' log, once all rows were read: it stands there if the list is taken, and else does not. */
  readonly act?: () => OperatorAct;
}

const CHUNK = 1000;
/** The registers of which a tree proves that an address or a domain is not on them. */
const TREES: ReadonlySet<RegisterName> = new Set(['sanctions', 'known-scam', 'phishing-domains']);

/**
 * Imports a list in one transaction: an error in any row, or in reading them, leaves the register as it was.
 * @throws Refusal conflict for a list in the place of another that has lost too many of its rows
 */
export async function importRegister(
  db: Database,
  input: RegisterImport,
): Promise<{ importId: bigint; rows: number; total: number }> {
  return await db.transaction().execute(async (trx) => {
    // Behind another import of the list, which may take minutes.
    await waitForLocks(trx, null);
    await sql`select pg_advisory_xact_lock(hashtext(${`register:${input.register}:${input.source}`}))`.execute(
      trx,
    );
    const { id } = await trx
      .insertInto('register_imports')
      .values({ register: input.register, source: input.source, rows: 0, as_of: input.asOf ?? new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const held = input.largestShrink === undefined ? 0 : await countRows(trx, input.register, input.source);
    let rows = 0;
    let chunk = new Map<string, object>();
    for await (const row of input.rows) {
      rows += 1;
      chunk.set(row.key, row.detail);
      if (chunk.size >= CHUNK) {
        await writeChunk(trx, input, id, chunk);
        chunk = new Map();
      }
    }
    await writeChunk(trx, input, id, chunk);
    if (input.mode === 'replace') {
      await retract(trx, input, id);
    }
    await trx.updateTable('register_imports').set({ rows }).where('id', '=', id).execute();
    const total = await countRows(trx, input.register, input.source);
    requireNotShrunk(input, held, total);
    const root = TREES.has(input.register) ? await plantTree(trx, input.register, input.source) : null;
    await noteList(trx, input, { id, total, root });
    if (input.act !== undefined) await logOperatorAct(trx, input.act());
    return { importId: id, rows, total };
  });
}

async function writeChunk(
  trx: Trx,
  input: RegisterImport,
  id: bigint,
  chunk: ReadonlyMap<string, object>,
): Promise<void> {
  if (chunk.size === 0) return;
  await trx
    .insertInto('register_entries')
    .values(
      [...chunk].map(([key, detail]) => ({
        register: input.register,
        key,
        source: input.source,
        detail: JSON.stringify(detail),
        import_id: id,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['register', 'key', 'source']).doUpdateSet((eb) => ({
        detail: eb.ref('excluded.detail'),
        import_id: eb.ref('excluded.import_id'),
      })),
    )
    .execute();
}

/** Takes off the list what this import does not name any more, and keeps that it was there. */
async function retract(trx: Trx, { register, source }: RegisterImport, id: bigint): Promise<void> {
  await sql`
    with gone as (
      delete from register_entries where register = ${register} and source = ${source} and import_id <> ${id}
      returning key, first_seen
    )
    insert into register_retractions (register, source, key, listed_at, import_id)
    select ${register}, ${source}, key, first_seen, ${id} from gone`.execute(trx);
}

async function countRows(trx: Trx, register: RegisterName, source: string): Promise<number> {
  const { n } = await trx
    .selectFrom('register_entries')
    .select((eb) => eb.fn.countAll<bigint>().as('n'))
    .where('register', '=', register)
    .where('source', '=', source)
    .executeTakeFirstOrThrow();
  return Number(n);
}

function requireNotShrunk({ mode, largestShrink }: RegisterImport, held: number, total: number): void {
  if (mode !== 'replace' || largestShrink === undefined) return;
  if (total * 100 >= held * (100 - largestShrink)) return;
  throw new Refusal(
    'conflict',
    `It has ${countOf(total, 'row')} where ${held} are held, and may lose ${largestShrink} percent: what is held stays. Send it with acceptShrunk=true, if that is right.`,
  );
}

/**
 * What the list holds from now on: nobody counts it again to look into it. Rows that are added without a date leave the
 * date of the list as it was; a list in the place of another without a date has none.
 */
async function noteList(
  trx: Trx,
  input: RegisterImport,
  { id, total, root }: { id: bigint; total: number; root: string | null },
): Promise<void> {
  const { register, source, asOf, mode } = input;
  const dated = {
    as_of: asOf ?? new Date(),
    basis: asOf === null ? null : (input.basis ?? ('attested' as const)),
  };
  const now = {
    ...(asOf === null && mode === 'add' ? {} : dated),
    ...(input.minimum === undefined ? {} : { minimum: BigInt(input.minimum) }),
    ...(input.synthetic === undefined ? {} : { synthetic: input.synthetic }),
    rows: BigInt(total),
    root,
    import_id: id,
  };
  await trx
    .insertInto('register_lists')
    .values({ register, source, minimum: 1n, synthetic: false, ...dated, ...now })
    .onConflict((conflict) => conflict.columns(['register', 'source']).doUpdateSet(now))
    .execute();
}

/** A list as it stands. */
export interface HeldList {
  readonly source: string;
  readonly asOf: Date;
  readonly rows: number;
  /** Whose date `asOf` is; null: nobody's, it is when the list was taken. */
  readonly basis: 'published' | 'attested' | null;
  readonly minimum: number;
  readonly synthetic: boolean;
  /** Of the tree of its sorted keys, hex; null where none is made. */
  readonly root: string | null;
}

/** The lists of a register: each by its latest import, with the rows it holds now. */
export async function listsOf(db: Database, register: RegisterName): Promise<HeldList[]> {
  const rows = await db
    .selectFrom('register_lists')
    .select(['source', 'as_of', 'rows', 'basis', 'minimum', 'synthetic', 'root'])
    .where('register', '=', register)
    .orderBy('source')
    .execute();
  return rows.map(({ source, as_of: asOf, rows: n, basis, minimum, synthetic, root }) => ({
    ...{ source, asOf, rows: Number(n), basis, minimum: Number(minimum), synthetic, root },
  }));
}

/** Every key of one list. */
export async function keysOf(db: Database, register: RegisterName, source: string): Promise<string[]> {
  const rows = await db
    .selectFrom('register_entries')
    .select('key')
    .where('register', '=', register)
    .where('source', '=', source)
    .execute();
  return rows.map(({ key }) => key);
}

/** Which of these keys stand in the register, and on which list. Keys as the rows spell them. */
export async function lookUp(
  db: Database,
  register: RegisterName,
  keys: readonly string[],
): Promise<{ key: string; source: string }[]> {
  if (keys.length === 0) return [];
  return await db
    .selectFrom('register_entries')
    .select(['key', 'source'])
    .where('register', '=', register)
    .where('key', 'in', [...keys])
    .orderBy('key')
    .orderBy('source')
    .execute();
}

export interface Retraction {
  readonly key: string;
  readonly source: string;
  readonly listedAt: Date;
  readonly retractedAt: Date;
}

export interface Consulted {
  readonly lists: readonly HeldList[];
  /** The names of those that are to be fetched, and never came. */
  readonly missing: readonly string[];
  readonly hits: readonly { readonly key: string; readonly source: string; readonly whose: string | null }[];
  /** What was on a list and is no more. */
  readonly retracted: readonly Retraction[];
}

interface ConsultedRow {
  register: RegisterName;
  source: string;
  as_of: Date | null;
  rows: bigint | null;
  basis: HeldList['basis'];
  minimum: bigint | null;
  synthetic: boolean | null;
  root: string | null;
  key: string | null;
  whose: string | null;
  listed_at: Date | null;
  retracted_at: Date | null;
  missing: boolean;
}

/** The lists that are to be fetched and of which nothing is held; what an operator imported by hand is held too. */
export const NEVER_FETCHED = `
  select f.register, f.source from register_fetches f
  where f.succeeded_at is null and not exists (
    select from register_lists l where l.register = f.register and l.source = f.source)`;

const CONSULT: Statement = {
  name: 'consult-registers',
  text: `
    select register, source, as_of, rows, basis, minimum, synthetic, root, null as key, null as whose,
      null::timestamptz as listed_at, null::timestamptz as retracted_at, false as missing
    from register_lists where register = any($1)
    union all
    select register, source, null, null, null, null, null, null, key,
      nullif(concat_ws(', ', detail->>'name', detail->>'programs'), ''), null, null, false
    from register_entries where register = any($1) and key = any($2)
    union all
    select register, source, null, null, null, null, null, null, key, null, listed_at, retracted_at, false
    from register_retractions where register = any($1) and key = any($2)
    union all
    select register, source, null, null, null, null, null, null, null, null, null, null, true
    from (${NEVER_FETCHED}) never where register = any($1)`,
};

/** Several registers as they stand at one moment: their lists, and which of these keys stand on them. One statement. */
export async function consult(
  db: Database,
  registers: readonly RegisterName[],
  keys: readonly string[],
): Promise<Map<RegisterName, Consulted>> {
  const rows = await run<ConsultedRow>(db, CONSULT, [registers, keys]);
  const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return new Map(
    registers.map((register) => {
      const own = rows.filter((r) => r.register === register);
      const lists = own.flatMap(({ source, as_of, rows: n, basis, minimum, synthetic, root }) =>
        as_of === null
          ? []
          : [
              {
                ...{ source, asOf: as_of, rows: Number(n), basis, root },
                ...{ minimum: Number(minimum), synthetic: synthetic === true },
              },
            ],
      );
      const hits = own.flatMap(({ key, source, whose, retracted_at }) =>
        key === null || retracted_at !== null ? [] : [{ key, source, whose }],
      );
      const retracted = own.flatMap(({ key, source, listed_at, retracted_at }) =>
        key === null || listed_at === null || retracted_at === null
          ? []
          : [{ key, source, listedAt: listed_at, retractedAt: retracted_at }],
      );
      return [
        register,
        {
          lists: lists.sort((a, b) => inOrder(a.source, b.source)),
          missing: own
            .filter((r) => r.missing)
            .map((r) => r.source)
            .sort(inOrder),
          hits: hits.sort((a, b) => inOrder(a.key, b.key) || inOrder(a.source, b.source)),
          retracted: retracted.sort(
            (a, b) => a.retractedAt.getTime() - b.retractedAt.getTime() || inOrder(a.source, b.source),
          ),
        },
      ];
    }),
  );
}

import {
  GenericExpressionNode,
  generate,
  IdentifierNode,
  LiteralNode,
  PostgresDialect,
  RawExpressionNode,
  UnionExpressionNode,
} from 'kysely-codegen';
import pg from 'pg';

/** The file that holds the table types, as they follow from the schema. */
export const GENERATED = new URL('../../store/schema.ts', import.meta.url);

const REGISTER = new RawExpressionNode("RegisterImports['register']");
/** Text columns without a check of their own that hold what another column's check allows. */
const SAME_AS = {
  'register_entries.register': REGISTER,
  'register_fetches.register': REGISTER,
  'register_lists.register': REGISTER,
  'register_retractions.register': REGISTER,
  'register_trees.register': REGISTER,
};

interface Column {
  readonly name: string;
  readonly type: string;
  /** The database gives a value where none is written. */
  readonly given: boolean;
  /** Nobody but the database may give one. */
  readonly always: boolean;
  /** The condition of a check on this column alone. */
  readonly check: string | null;
}

/**
 * The table types of a migrated database. What a check allows becomes a union of literals; what is JSON is typed in
 * `store/json-columns.ts`.
 */
export async function generateTables(url: string): Promise<string> {
  const dialect = new PostgresDialect();
  const db = await dialect.introspector.connect({ connectionString: url, dialect });
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<Column>(`
      select c.relname || '.' || a.attname as name, format_type(a.atttypid, null) as type,
        a.atthasdef or a.attidentity <> '' as given, a.attidentity = 'a' as always,
        (select pg_get_constraintdef(k.oid) from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
            and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%'
          limit 1) as "check"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      order by 1`);
    return await generate({
      db,
      dialect,
      excludePattern: 'schema_versions',
      outFile: null,
      overrides: { columns: { ...Object.fromEntries(rows.flatMap(override)), ...SAME_AS } },
      customImports: { JsonColumn: './json-columns.ts', GeneratedAlways: 'kysely' },
      // As `openDatabase` reads them: int8 by bigint, times by Date.
      typeMapping: { int8: 'bigint', timestamptz: 'Date', date: 'Date' },
    });
  } finally {
    await client.end();
    await db.destroy();
  }
}

type TypeNode =
  | GenericExpressionNode
  | IdentifierNode
  | LiteralNode<string>
  | RawExpressionNode
  | UnionExpressionNode;

/** Given as nodes: types written as text are parsed by a TypeScript older than the one that is installed. */
function override(column: Column): [string, TypeNode][] {
  const type = typeOf(column);
  if (type === null) return [];
  const given = column.given && !column.always;
  return [[column.name, given ? new GenericExpressionNode('Generated', [type]) : type]];
}

/** Null where the column's own type says it all. Whether it may be null is added by the generator. */
function typeOf({ name, type, always, check }: Column): TypeNode | null {
  if (type === 'jsonb') return new GenericExpressionNode('JsonColumn', [new LiteralNode(name)]);
  if (always) return new GenericExpressionNode('GeneratedAlways', [new IdentifierNode('bigint')]);
  const allowed = [...(check ?? '').matchAll(/'([^']*)'::text/g)].map((m) => new LiteralNode(m[1] as string));
  return allowed.length === 0 ? null : new UnionExpressionNode(allowed);
}

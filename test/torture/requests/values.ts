import type { Schema } from '../../client/describe-routes.ts';
import type { Random } from '../../simulator/random.ts';

/** What answers told, by the names of their members: a handle that was given out is asked for again. */
export interface KnownValues {
  /** Notes every short text of an answer under its name. */
  note(body: unknown): void;
  add(name: string, value: string): void;
  of(name: string): readonly string[];
}

/** The most values that are kept of one name; the latest take the place of earlier ones. */
const KEPT = 40;
const MOST_NOTED = 200;

export function knownValues(): KnownValues {
  const byName = new Map<string, string[]>();
  const add = (name: string, value: string): void => {
    const kept = byName.get(name) ?? [];
    if (kept.includes(value)) return;
    if (kept.length >= KEPT) kept.shift();
    kept.push(value);
    byName.set(name, kept);
  };
  const note = (body: unknown, name = ''): void => {
    if (typeof body === 'string' && name !== '' && body.length <= MOST_NOTED) add(name, body);
    else if (Array.isArray(body)) for (const item of body.slice(0, 10)) note(item, name);
    else if (body !== null && typeof body === 'object')
      for (const [member, value] of Object.entries(body)) note(value, member);
  };
  return { note, add, of: (name) => byName.get(name) ?? [] };
}

/** Members of requests whose values answers give under another name. */
const TOLD_AS: Readonly<Record<string, readonly string[]>> = {
  lot: ['assetKey', 'lot'],
  lotRef: ['listingRef', 'lot'],
  cursor: ['next', 'nextCursor'],
  wallet: ['owner', 'wallet'],
  address: ['owner', 'account', 'contract'],
  seller: ['seller', 'handle'],
  counterparty: ['account', 'handle'],
};

/** Texts that have broken programs: null bytes, halves of surrogate pairs, quotes, paths, prototypes, too much of anything. */
const HOSTILE: readonly unknown[] = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202e\u0000', 'ÅÅ'.normalize('NFD'), '👩‍👩‍👧'],
  ...["' or 1=1 --", '%', '%00', '%ff', '../../etc/passwd', '<script>', '{{x}}', '__proto__', 'constructor'],
  ...['0x', '0x0', `0x${'f'.repeat(64)}`, `0x${'0'.repeat(40)}`, '-1', '1e309', 'NaN', '9'.repeat(400)],
  ...['1'.repeat(78), '9999-12-31T23:59:59Z', '0000-00-00T00:00:00Z', 'x'.repeat(5_000)],
  ...[null, true, false, 0, -0, -1, 0.1, 1e21, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 63],
  ...[[], {}, [[]], [null], { a: { b: { c: [] } } }, ['x', 'x'], { toString: 1 }, { length: 1e9 }],
];

const PLAIN: readonly unknown[] = [
  ...['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', '0x00000000000000000000000000000000deadbeef'],
  ...['6sbzC1eH4FTujJXWj51eQe25cYvr4xfXbJ1vAj7j2k5J', '12.50', '1', '100', '0', '2026-12-01T00:00:00Z'],
  ...['digital-products', 'eip155:1002', 'sanctions', 'example.x', 'name', `0x${'ab'.repeat(32)}`],
  ...[`0x${'12'.repeat(65)}`, 'Buy digital products, max 500 USDC per deal, for 30 days.', 'match,listing'],
  ...[
    'http://127.0.0.1:9/hook',
    'https://example.test/',
    'WVWZZZ1JZXW000001',
    'not-found',
    'wallet',
    'tier2',
  ],
];

export interface Drawing {
  readonly random: Random;
  readonly known: KnownValues;
  readonly schemas: Readonly<Record<string, Schema>>;
  /** How often a value is one that no schema asks for. */
  readonly hostile: number;
}

/** Draws a value for a schema, or now and then one that it does not allow. @param name of the member that it is for */
export function valueFor(drawing: Drawing, schema: Schema, name: string, depth = 0): unknown {
  const { random, schemas, hostile } = drawing;
  if (random.chance(hostile)) return random.pick(HOSTILE);
  if (schema.$ref !== undefined) {
    const named = schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named === undefined ? null : valueFor(drawing, named, name, depth);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return valueFor(drawing, random.pick(schema.anyOf), name, depth);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => valueFor(drawing, part, name, depth)));
  const type = typeof schema.type === 'string' ? schema.type : random.pick(schema.type ?? ['string']);
  switch (type) {
    case 'object':
      return objectFor(drawing, schema, depth);
    case 'array':
      return Array.from({ length: random.below(4) }, () =>
        valueFor(drawing, schema.items ?? {}, name, depth + 1),
      );
    case 'integer':
      return name === 'chainId' ? random.pick([1002, 1002, 84532, 1, 999_999]) : random.below(100);
    case 'number':
      return random.pick([0, 1, 12.5, 100, 0.01, 99.999, 1e15]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return textFor(drawing, schema, name);
  }
}

/** Deeper than this, only what is required is drawn. */
const DEEPEST = 5;

function objectFor(drawing: Drawing, schema: Schema, depth: number): Record<string, unknown> {
  const { random, hostile } = drawing;
  const required = new Set(schema.required ?? []);
  const drawn: Record<string, unknown> = {};
  for (const [member, of] of Object.entries(schema.properties ?? {})) {
    const wanted = required.has(member) ? !random.chance(hostile) : depth < DEEPEST && random.chance(0.5);
    if (wanted) drawn[member] = valueFor(drawing, of, member, depth + 1);
  }
  if (random.chance(hostile))
    drawn[random.pick(['extra', 'toString', 'id', '\u0000'])] = random.pick(HOSTILE);
  return drawn;
}

/** A known value of this name, or a plain one: the first that the pattern allows, of those drawn. */
function textFor({ random, known }: Drawing, schema: Schema & { pattern?: string }, name: string): string {
  const told = [name, ...(TOLD_AS[name] ?? [])].flatMap((as) => known.of(as));
  if (told.length > 0 && random.chance(0.8)) return random.pick(told);
  const allowed = schema.pattern === undefined ? null : new RegExp(schema.pattern, 'u');
  const fitting = PLAIN.filter((value) => allowed?.test(String(value)) ?? true);
  return String(random.pick(fitting.length > 0 ? fitting : PLAIN));
}

import { type Static, Type } from 'typebox';
import { CATEGORIES } from '../categories.ts';
import type { PriceCommon } from '../determinations/price/price-evidence.ts';
import { itemIdentity, type Similarity } from '../market/pricing/comparables.ts';
import type { Attributes } from '../market/pricing/model/attributes.ts';
import { requireForm, requireTime } from './form.ts';

const closed = { additionalProperties: false } as const;
const Usd = Type.Union([
  Type.Number({ minimum: 0, maximum: 1e12 }),
  Type.String({ pattern: '^[0-9]{1,12}(?:\\.[0-9]{1,6})?$' }),
]);
const Attribute = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const PlainPrice = Type.Object(
  {
    ...{ id: Type.Union([Type.String(), Type.Number()]), priceUsd: Usd, at: Type.Optional(Type.String()) },
    subject: Type.Object({ category: Type.Enum([...CATEGORIES]) }, { additionalProperties: Attribute }),
    comparables: Type.Array(
      Type.Object({ priceUsd: Usd, soldAt: Type.String() }, { additionalProperties: Attribute }),
    ),
  },
  closed,
);

/** Attributes that say which piece it is, and not of what kind. */
const PIECE = new Set([
  'category',
  'priceUsd',
  'soldAt',
  'id',
  'vin',
  'imei',
  'serial',
  'key',
  'lot',
  'condition',
]);
const IDENTITIES = ['key', 'vin', 'imei', 'serial', 'lot'] as const;

/**
 * A price with sales to compare it with, as evidence. A sale is of the same kind where its identity says so (a VIN's
 * maker, model and year), or where every text that both have is the same and a year is at most one off.
 * @throws FormError
 */
export function priceOfFile(value: unknown): { readonly common: PriceCommon; readonly at: string } {
  requireForm(PlainPrice, value);
  const { priceUsd, subject, comparables, at } = value as Static<typeof PlainPrice>;
  const sold = comparables.map((c, i) => requireTime(c.soldAt, `comparables.${i}.soldAt`));
  const own = identityOf(subject);
  const common: PriceCommon = {
    priceUsd: dollars(priceUsd),
    category: subject.category,
    subject: own.key,
    pricing: 2,
    attributes: attributesOf(subject, own.key),
    comparables: comparables.map((sale, i) => ({
      ...{ id: `sale-${i + 1}`, source: 'the file', soldAt: new Date(sold[i]!).toISOString() },
      ...{ priceUsd: dollars(sale.priceUsd), similarity: similarityOf(subject, own, sale), dropped: null },
      attributes: attributesOf(sale, identityOf(sale).key),
    })),
    leftOut: 0,
    lists: [],
  };
  const moment = at === undefined ? Math.max(0, ...sold) : requireTime(at, 'at');
  return { common, at: new Date(moment).toISOString() };
}

/** What is told of a thing, and its VIN where its key is one. */
function attributesOf(of: Attributes, key: string | null): Attributes {
  const [, vin] = /^serial:vin:(.+)$/.exec(key ?? '') ?? [];
  return { ...of, ...(vin === undefined ? {} : { vin }) };
}

function identityOf(of: Attributes): { readonly key: string | null; readonly kind: string | null } {
  for (const name of IDENTITIES) {
    const text = of[name];
    if (typeof text !== 'string') continue;
    const found = itemIdentity(name === 'vin' || name === 'imei' ? `serial:${name}:${text}` : text);
    if (found.key !== null) return found;
  }
  return { key: null, kind: null };
}

function similarityOf(subject: Attributes, own: ReturnType<typeof identityOf>, sale: Attributes): Similarity {
  const other = identityOf(sale);
  if (own.key !== null && own.key === other.key) return 'same-asset';
  if (own.kind !== null && own.kind === other.kind) return 'same-kind';
  const told = Object.entries(subject).filter(
    ([name, v]) => !PIECE.has(name) && sale[name] != null && (typeof v === 'string' || name === 'year'),
  );
  const alike = told.every(([name, v]) =>
    name === 'year'
      ? Math.abs(Number(v) - Number(sale[name])) <= 1
      : String(v).trim().toLowerCase() === String(sale[name]).trim().toLowerCase(),
  );
  return told.length > 0 && alike ? 'same-kind' : 'same-category';
}

function dollars(usd: number | string): string {
  return typeof usd === 'string' ? usd : String(Number(usd.toFixed(6)));
}

/** What somebody says of a thing for sale, such as make, model, year, mileage, condition, title, edition, term or rate. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** The attributes of one thing that tell of its price: texts in lower case, and numbers. */
export interface Told {
  readonly texts: ReadonlyMap<string, string>;
  readonly numbers: ReadonlyMap<string, number>;
}

/** Other names that lists of sales use. */
const NAMES: Readonly<Record<string, string>> = {
  ...{
    brand: 'make',
    maker: 'make',
    manufacturer: 'make',
    modelyear: 'year',
    miles: 'mileage',
    odometer: 'mileage',
  },
  ...{
    titlestatus: 'title',
    state: 'condition',
    grade: 'condition',
    royalty: 'royaltyshare',
    share: 'royaltyshare',
  },
  ...{
    interest: 'rate',
    interestrate: 'rate',
    coupon: 'rate',
    maturity: 'term',
    months: 'term',
    face: 'facevalue',
  },
};

/** Attributes that say which piece it is, or of which sale, and not of what kind. */
const NOT_OF_PRICE = new Set(
  'category priceusd price soldat date id imei serial key lot item asset source flagged facevaluesource serialkind'.split(
    ' ',
  ),
);

/** Numbers as lists write them: "75,000", "75000 km", "6.5%". */
const NUMBER = /^-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$|^-?[0-9]+(?:\.[0-9]+)?$/;
const NUMERIC = new Set([
  'year',
  'mileage',
  'royaltyshare',
  'rate',
  'term',
  'facevalue',
  'edition',
  'editionsize',
]);
const MOST = 24;

/** One name for an attribute, however it is spelled: `Model year` is `year`, `brand` is `make`. */
export function attributeName(given: string): string {
  const plain = given.toLowerCase().replaceAll(/[\s_-]/g, '');
  return NAMES[plain] ?? plain;
}

/** The number that a text states, with its unit if it has one; null where it states none. */
export function numberOf(text: string): number | null {
  const bare = text
    .toLowerCase()
    .replace(/(?:km|mi|miles|%|months|usd)$/, '')
    .trimEnd();
  return NUMBER.test(bare) ? Number(bare.replaceAll(',', '')) : null;
}

/** Reads attributes whatever their names' spelling. A VIN tells make, line and plant by its first eleven characters. */
export function told(attributes: Attributes): Told {
  const texts = new Map<string, string>();
  const numbers = new Map<string, number>();
  for (const [given, value] of Object.entries(attributes).slice(0, MOST)) {
    const name = attributeName(given);
    if (value === null || value === '' || NOT_OF_PRICE.has(name)) continue;
    if (name === 'vin') {
      const vin = String(value)
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]/g, '');
      if (vin.length >= 11) texts.set('vin', vin.slice(0, 11));
      continue;
    }
    const text = String(value).trim().toLowerCase();
    const numeric = typeof value === 'number' || NUMERIC.has(name);
    const number = numeric ? numberOf(text) : null;
    if (number === null) texts.set(name, text);
    else numbers.set(name, number);
  }
  return { texts, numbers };
}

/** Attributes that say in what state a thing is, and not which thing it is. */
const STATES = new Set(['title', 'condition', 'color', 'colour', 'country']);

/**
 * What makes two things the same for a buyer: maker and model where they are told, or else every text but its state, or else
 * maker, model and year by its VIN.
 */
export function identityOf({ texts }: Told): string | null {
  const names = ['make', 'model'].every((name) => texts.has(name))
    ? ['make', 'model']
    : [...texts.keys()].filter((name) => name !== 'vin' && !STATES.has(name)).sort();
  if (names.length > 0) return names.map((name) => texts.get(name)).join('|');
  const vin = texts.get('vin');
  return vin === undefined ? null : `${vin.slice(0, 8)}${vin[9]}`;
}

/** The groups to which a thing belongs, from the widest to the narrowest, by name. */
export function groupsOf(of: Told): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  const { texts, numbers } = of;
  for (const [name, text] of texts) if (name !== 'vin' && name !== 'model') groups.set(name, text);
  const identity = identityOf(of);
  if (identity !== null) groups.set('identity', identity);
  const year = numbers.get('year');
  if (identity !== null && year !== undefined) groups.set('identity-year', `${identity}|${year}`);
  const vin = texts.get('vin');
  if (vin !== undefined) {
    for (const length of [3, 5, 8]) groups.set(`vin-${length}`, vin.slice(0, length));
    groups.set('vin-year', `${vin.slice(0, 8)}${vin[9]}`);
  }
  return groups;
}

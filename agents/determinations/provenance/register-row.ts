import { fromHex, type Hex, keccak } from '../../canonical.ts';
import { isCategory } from '../../categories.ts';
import { AppError } from '../../errors.ts';
import { formatUsd, parseUsd } from '../../money.ts';
import { tokenContractKey } from '../lineage/token-contract.ts';
import { domainName } from '../origin/host.ts';
import { tryAddress } from '../wallet/address.ts';
import { skeletonOf } from '../wallet/code/code-skeleton.ts';
import { LABELS } from '../wallet/money/flows.ts';
import { assetRowKey } from './asset-row.ts';

export const REGISTERS = [
  'sanctions',
  'known-scam',
  'labels',
  'stolen',
  'recalled',
  'comparables',
  'phishing-domains',
  'known-domains',
  'listed-code',
  'known-code',
  'token-contracts',
] as const;
export type Register = (typeof REGISTERS)[number];

/** A row of a register, with its key in the spelling that look-ups use. */
export interface RegisterRow {
  readonly key: string;
  readonly detail: Readonly<Record<string, string>>;
}

/** A list older than this can no longer say "not listed". */
export const MAX_AGE_DAYS: Readonly<Record<Register, number>> = {
  sanctions: 7,
  'known-scam': 30,
  labels: 365,
  stolen: 30,
  recalled: 30,
  comparables: 365,
  'phishing-domains': 30,
  'known-domains': 365,
  'listed-code': 365,
  'known-code': 365,
  'token-contracts': 365,
};

/** What is INCONCLUSIVE while a register is empty. Those that are not named here only add what they name. */
export const EMPTY_LEAVES_OPEN: Readonly<Partial<Record<Register, string>>> = {
  sanctions: 'every wallet and every deal',
  'known-scam': 'every wallet and every deal',
  stolen: 'whether goods were stolen',
  recalled: 'whether goods were recalled',
  comparables: 'every price of what too little was sold of here',
  'phishing-domains': 'every site',
  'known-domains': 'every site that is not FLAGGED',
};

/** A list with fewer rows than this counts as a fragment, unless whoever imports it declares otherwise. */
export const MINIMUM_ROWS: Readonly<Record<Register, number>> = {
  sanctions: 50,
  'known-scam': 500,
  labels: 1,
  stolen: 10,
  recalled: 10,
  comparables: 1,
  'phishing-domains': 500,
  'known-domains': 1,
  'listed-code': 1,
  'known-code': 1,
  'token-contracts': 1,
};

/** A list that lost more than this share of its rows, in percent, is refused unless that is accepted explicitly. */
export const LARGEST_SHRINK = 50;

type Fields = Readonly<Record<string, string>>;

/**
 * Turns lines into rows one at a time, so that a long list need not be held in memory. The first CSV line may name the
 * columns; without names the first column is the key. JSON lines are objects. Empty lines and `#` lines are skipped.
 * @returns null for a line that carries no row
 * @throws AppError bad-request naming `line N`
 */
export function rowReader(
  register: Register,
  format: 'csv' | 'jsonl',
): (line: string, number: number) => RegisterRow | null {
  let columns: readonly string[] | null = null;
  let started = false;
  return (line, number) => {
    const text = (number === 1 ? line.replace(/^\uFEFF/, '') : line).trim();
    if (text === '' || text.startsWith('#')) return null;
    if (format === 'jsonl') return readRow(register, jsonFields(text, number), number);
    const cells = csvCells(text, number);
    if (!started) {
      started = true;
      const names = cells.map((c) =>
        c
          .trim()
          .toLowerCase()
          .replaceAll(/[\s_-]/g, ''),
      );
      if (names.some((n) => KEY_COLUMNS.includes(n))) {
        columns = names;
        return null;
      }
    }
    if (columns !== null && cells.length !== columns.length) {
      throw badLine(number, `has ${cells.length} cells where the heading has ${columns.length}`);
    }
    const named =
      columns === null ? [['key', cells[0]!.trim()]] : columns.map((n, i) => [n, cells[i]!.trim()]);
    return readRow(register, Object.fromEntries(named) as Fields, number);
  };
}

const KEY_COLUMNS: readonly string[] = [
  'key',
  'address',
  'asset',
  'serial',
  'vin',
  'imei',
  'contract',
  'item',
  'wallet',
  'domain',
  'code',
  'hash',
  'skeleton',
];

function badLine(number: number, message: string): AppError {
  const path = `line ${number}`;
  return new AppError('bad-request', `${path}: ${message}; nothing was imported`, {
    errors: [{ path, message }],
  });
}

function jsonFields(text: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badLine(number, 'is not JSON');
  }
  if (typeof value === 'string') return { key: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badLine(number, 'is not a JSON object');
  const fields: [string, string][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    if (typeof member === 'object') throw badLine(number, `${name} must be text, a number or a boolean`);
    fields.push([name.toLowerCase().replaceAll(/[\s_-]/g, ''), String(member)]);
  }
  return Object.fromEntries(fields);
}

const SPACE = /\s/;

/** Splits one CSV line (RFC 4180 quoting, but no line breaks inside quotes). */
function csvCells(line: string, number: number): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  // Whether the cell contains only white space so far.
  let blank = true;
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (quoted && c === '"' && line[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (c === '"' && (quoted || blank)) {
      quoted = !quoted;
      if (quoted) cell = '';
      blank = quoted || cell.trim() === '';
    } else if (c === ',' && !quoted) {
      cells.push(cell);
      cell = '';
      blank = true;
    } else {
      cell += c;
      blank &&= SPACE.test(c);
    }
  }
  if (quoted) throw badLine(number, 'has a quote that is not closed');
  return [...cells, cell];
}

function readRow(register: Register, fields: Fields, number: number): RegisterRow {
  try {
    const key = KEYS[register](fields);
    const detail = Object.entries(fields).filter(([name, v]) => v !== '' && !DROPPED.includes(name));
    if (detail.some(([, v]) => v.length > 1000)) throw new Error('has a cell of more than 1000 characters');
    // Postgres cannot store all of these characters, and none of them belongs in a name.
    if (/[\p{Cc}\p{Surrogate}]/u.test([key, ...detail.flat()].join(''))) {
      throw new Error('has a control character');
    }
    return { key, detail: Object.fromEntries(detail) };
  } catch (error) {
    throw badLine(number, error instanceof Error ? error.message : String(error));
  }
}

const DROPPED: readonly string[] = ['key', 'address', 'wallet', 'code', 'hash', 'skeleton'];

const KEYS: Readonly<Record<Register, (fields: Fields) => string>> = {
  sanctions: addressKey,
  'known-scam': addressKey,
  labels: labelKey,
  stolen: assetRowKey,
  recalled: assetRowKey,
  comparables: saleKey,
  'phishing-domains': domainKey,
  'known-domains': domainKey,
  'listed-code': codeKey,
  'known-code': codeKey,
  'token-contracts': tokenContractKey,
};

function addressKey(fields: Fields): string {
  const text = fields.address ?? fields.wallet ?? fields.key ?? fields.contract ?? '';
  const address = tryAddress(text);
  if (address === null) throw new Error(`"${text.slice(0, 80)}" is neither an EVM nor a Solana address`);
  return address.key;
}

function domainKey(fields: Fields): string {
  const text = fields.domain ?? fields.key ?? '';
  const domain = domainName(text);
  if (domain === null) throw new Error(`"${text.slice(0, 80)}" is no domain name`);
  return domain;
}

/**
 * The keccak-256 of a contract's code, or its skeleton; of a whole code its skeleton, or its hash where it is too short to
 * have one. A row says what the code is, and whose word that is.
 */
function codeKey(fields: Fields): string {
  const { name = '', source = '', code } = fields;
  if (name === '' || source === '') throw new Error('name and source must say what it is, and who says so');
  if (code !== undefined) {
    if (!/^0x(?:[0-9a-f]{2})+$/i.test(code)) throw new Error('code must be hex of whole bytes after 0x');
    return skeletonOf(code) ?? keccak(fromHex(code.toLowerCase() as Hex));
  }
  const key = (fields.skeleton ?? fields.hash ?? fields.key ?? '').toLowerCase();
  if (!/^0x[0-9a-f]{64}$/.test(key)) throw new Error('a hash must be 32 bytes, hex after 0x');
  return key;
}

/** What the kind of a labelled address may be: beside what it is to money, a collection whose own logs are believed. */
const LABEL_KINDS: readonly string[] = [...LABELS, 'collection'];

function labelKey(fields: Fields): string {
  if (!LABEL_KINDS.includes(fields.kind ?? ''))
    throw new Error(`kind must be one of ${LABEL_KINDS.join(', ')}`);
  return addressKey(fields);
}

/** The key of a settled sale: what was sold, in which category, for how much, and when. */
function saleKey(fields: Fields): string {
  const item = fields.item ?? fields.asset ?? fields.key ?? '';
  if (item === '' || item.length > 200) throw new Error('item must be 1 to 200 characters');
  const category = fields.category ?? '';
  if (!isCategory(category)) throw new Error('category must be one of the six categories of the service');
  const price = parseUsd(fields.priceusd ?? fields.price ?? '', 'priceUsd');
  if (price === 0n) throw new Error('priceUsd must be above zero');
  const soldAt = Date.parse(fields.soldat ?? fields.date ?? '');
  if (Number.isNaN(soldAt)) throw new Error('soldAt must be a date');
  return `${category}:${item}@${new Date(soldAt).toISOString()}:${formatUsd(price)}`;
}

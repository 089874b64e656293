/** The features of one bidder in one auction, named as in the UCI Shill Bidding data; all but the last are 0 to 1. */
export const BID_FEATURES = [
  'Bidder_Tendency',
  'Bidding_Ratio',
  'Successive_Outbidding',
  'Last_Bidding',
  'Auction_Bids',
  'Starting_Price_Average',
  'Early_Bidding',
  'Winning_Ratio',
  'Auction_Duration',
] as const;

export type BidFeature = (typeof BID_FEATURES)[number];

export interface BidRow {
  /** Its `Record_ID`, or its line number when the file has none. */
  readonly record: string;
  /** Null when the file has no `Bidder_ID`. */
  readonly bidder: string | null;
  readonly features: Readonly<Record<BidFeature, number>>;
  /** `Class`: true is a shill; null when the file has no labels. */
  readonly shill: boolean | null;
}

/** What is wrong with a file, where, and what to do about it. */
export class BidFileError extends Error {
  override readonly name = 'BidFileError';
}

const LABEL = 'Class';

/**
 * Reads a file in the layout of the UCI Shill Bidding data: a header line, the nine features in any order, and
 * optionally `Record_ID`, `Bidder_ID` and `Class` (1 shill, 0 normal). Further columns are ignored.
 * @throws BidFileError naming line, column and remedy
 */
export function readBids(text: string): BidRow[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = cells(lines[0] ?? '', 1).map((name) => name.trim());
  const missing = BID_FEATURES.filter((name) => !header.includes(name));
  if (missing.length > 0) {
    throw new BidFileError(
      `line 1: column ${missing.join(', ')} is missing: give a header line with ${BID_FEATURES.join(', ')}`,
    );
  }
  const twice = header.find((name, i) => name !== '' && header.indexOf(name) !== i);
  if (twice !== undefined) throw new BidFileError(`line 1: column ${twice} stands twice: leave one out`);
  const rows = lines
    .map((line, i) => ({ line, number: i + 1 }))
    .slice(1)
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => readRow(header, cells(line, number), number));
  if (rows.length === 0) throw new BidFileError('line 2: there is no bid: add a line for each bid');
  return rows;
}

function readRow(header: readonly string[], values: readonly string[], line: number): BidRow {
  if (values.length !== header.length) {
    throw new BidFileError(
      `line ${line}: has ${values.length} columns where the header has ${header.length}: give every column a value`,
    );
  }
  const at = (name: string): string | null => {
    const index = header.indexOf(name);
    return index < 0 ? null : (values[index] ?? '').trim();
  };
  const number = (name: BidFeature): number => {
    const value = at(name) ?? '';
    const read = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
    const top = name === 'Auction_Duration' ? 365 : 1;
    if (!(read >= 0 && read <= top)) {
      throw new BidFileError(
        `line ${line}, column ${name}: "${value.slice(0, 40)}" is not a number from 0 to ${top}: correct it or leave the line out`,
      );
    }
    return read;
  };
  const label = at(LABEL);
  if (label !== null && !/^[01](?:\.0*)?$/.test(label)) {
    throw new BidFileError(
      `line ${line}, column ${LABEL}: "${label.slice(0, 40)}" is neither 1 (shill) nor 0 (normal): correct it, or leave the whole column out to have scores only`,
    );
  }
  return {
    record: at('Record_ID') ?? String(line),
    bidder: at('Bidder_ID'),
    features: Object.fromEntries(BID_FEATURES.map((name) => [name, number(name)])) as BidRow['features'],
    shill: label === null ? null : label.startsWith('1'),
  };
}

/** Splits one line by RFC 4180, without line breaks inside quotes. */
function cells(line: string, number: number): string[] {
  if (!line.includes('"')) return line.split(',');
  const found: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y;
  while (cell.lastIndex < line.length) {
    const match = cell.exec(line);
    if (match === null) {
      throw new BidFileError(
        `line ${number}, column ${found.length + 1}: a quote does not end: close it, or double a quote that is meant`,
      );
    }
    found.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  }
  return line.endsWith(',') ? [...found, ''] : found;
}

import { type SaxesAttributePlain, SaxesParser, type SaxesTagPlain } from 'saxes';
import type { RegisterRow } from '../../agents/determinations/provenance/register-row.ts';
import { tryAddress } from '../../agents/determinations/wallet/address.ts';
import { type KindCounts, type ListContent, ListError } from './list-content.ts';

/** The published list nests five deep. */
const DEEPEST = 20;
const LONGEST_TEXT = 200_000;
/** Whatever follows is the currency: one that they write in a new way must be seen, not passed over. */
const CURRENCY = /^Digital Currency Address\b/i;
/** No XML name holds a space. */
const PARTS = ' ';

interface Entry {
  uid: string;
  first: string[];
  last: string[];
  programs: string[];
  addresses: { currency: string; number: string }[];
}

/**
 * Reads the digital currency addresses of the OFAC list of Specially Designated Nationals as it is published
 * (`SDN.XML`), as it comes. EVM and Solana addresses are kept; those of other chains are counted by currency and not
 * kept, because no determination is about them. A document type is refused whatever it declares, so that no entity of the document's own is ever
 * expanded; so is a document that ends before its end, or that holds fewer entries than it says.
 * @throws ListError
 */
export async function readOfacSdn(bytes: AsyncIterable<Uint8Array>): Promise<ListContent> {
  const rows = new Map<string, RegisterRow>();
  const path: string[] = [];
  const [kept, left] = [new Map<string, number>(), new Map<string, number>()];
  let [entries, declared] = [0, null as number | null];
  let published: Date | null = null;
  let entry: Entry | null = null;
  let id = { type: '', number: '' };
  let text = '';
  const parser = new SaxesParser<{ xmlns: false }>();
  parser.on('error', (error) => {
    throw new ListError(`it is no well-formed XML: ${error.message.slice(0, 100)}`);
  });
  parser.on('doctype', () => {
    throw new ListError('it declares a document type, which no published list does');
  });
  parser.on(
    'opentag',
    ({ name }: SaxesTagPlain & { attributes: Record<string, SaxesAttributePlain | string> }) => {
      if (path.length === 0 && name !== 'sdnList')
        throw new ListError(
          name === 'Sanctions'
            ? 'it is the advanced form of the list: take SDN.XML'
            : `its root is <${name.slice(0, 40)}>, not <sdnList>`,
        );
      path.push(name);
      if (path.length > DEEPEST) throw new ListError('it nests too deep');
      text = '';
      if (name === 'sdnEntry') entry = { uid: '', first: [], last: [], programs: [], addresses: [] };
      if (name === 'id') id = { type: '', number: '' };
    },
  );
  const add = (part: string): void => {
    text += part;
    if (text.length > LONGEST_TEXT) throw new ListError('it holds a text that is too long');
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const at = path.slice(1).join(PARTS);
    path.pop();
    const value = text.trim();
    text = '';
    if (at === 'publshInformation Publish_Date') published = dateOf(value);
    if (at === 'publshInformation Record_Count') declared = Number(value);
    if (entry === null) return;
    if (at === 'sdnEntry uid') entry.uid = value;
    if (at === 'sdnEntry firstName') entry.first.push(value);
    if (at === 'sdnEntry lastName') entry.last.push(value);
    if (at === 'sdnEntry programList program') entry.programs.push(value);
    if (at === 'sdnEntry idList id idType') id.type = value;
    if (at === 'sdnEntry idList id idNumber') id.number = value;
    if (at === 'sdnEntry idList id') {
      const [label] = CURRENCY.exec(id.type) ?? [];
      const currency = label === undefined ? undefined : id.type.slice(label.length).replace(/^[\s-]+/, '');
      if (currency !== undefined) entry.addresses.push({ currency: spelled(currency), number: id.number });
    }
    if (at === 'sdnEntry') {
      entries += 1;
      for (const row of rowsOf(entry)) rows.set(row.key, row);
      for (const { currency, number } of entry.addresses) {
        const counts = tryAddress(number) === null ? left : kept;
        counts.set(currency, (counts.get(currency) ?? 0) + 1);
      }
      entry = null;
    }
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const part of bytes) parser.write(decoder.decode(part, { stream: true }));
    parser.write(decoder.decode());
    parser.close();
  } catch (error) {
    if (error instanceof ListError || !(error instanceof TypeError)) throw error;
    throw new ListError('it is not valid UTF-8', { cause: error });
  }
  if (published === null) throw new ListError('it does not say when it was published');
  if (declared !== null && declared !== entries)
    throw new ListError(`it says that it has ${declared} entries, and has ${entries}`);
  return { rows: [...rows.values()], kept: inOrder(kept), left: inOrder(left), published };
}

/** An address that is listed by several currencies is one row of them all. */
function rowsOf({ uid, first, last, programs, addresses }: Entry): RegisterRow[] {
  const currencies = new Map<string, string[]>();
  for (const { currency, number } of addresses) {
    const key = tryAddress(number)?.key;
    if (key === undefined) continue;
    const by = currencies.get(key);
    if (by === undefined) currencies.set(key, [currency]);
    else by.push(currency);
  }
  const whose = {
    uid,
    name: [...first, ...last].join(' ').slice(0, 200),
    programs: programs.join(', ').slice(0, 200),
  };
  return [...currencies].map(([key, by]) => ({ key, detail: { ...whose, currency: by.join(', ') } }));
}

function spelled(currency: string): string {
  return (
    currency
      .replaceAll(/[^\w. -]/g, '')
      .trim()
      .slice(0, 20) || 'of no named currency'
  );
}

function inOrder(counts: ReadonlyMap<string, number>): KindCounts {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** As they write it: month/day/year. */
function dateOf(text: string): Date {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== Number(month) - 1)
    throw new ListError('it was published on a date that is none');
  return date;
}

import { fromNow } from '../browser/from-now.ts';
import { WORDS } from '../words/every-page.ts';
import { CHAINS } from '../words/home.ts';
import { dollars } from './dollars.ts';
import { type Html, html, raw, segment } from './html.ts';

/** An amount in dollars, with two to six decimals. */
export function money(usd: number): Html {
  return html`<span class="num">${dollars(usd)}</span>`;
}

/**
 * A long hex value, such as an address. It is shortened on screen, and whole in its tooltip, for a screen reader and on
 * the clipboard.
 */
export function hex(value: string): Html {
  if (value.length <= 20) return html`<code class="hex">${value}</code>`;
  const short = `${value.slice(0, 8)}…${value.slice(-6)}`;
  return html`<address-chip value="${value}"><code class="hex" title="${value}"><span aria-hidden="true">${short}</span><span class="hidden">${value}</span></code></address-chip>`;
}

/** How people call lots, by their asset keys, and where each is for sale; `listingRef` is null where it is not. */
export type Titles = ReadonlyMap<
  string,
  { readonly description: string; readonly listingRef: string | null }
>;
const NO_TITLES: Titles = new Map();

/** A lot by its title, a link where it is for sale; by its token or serial where it has none. */
export function titledLot(lot: string, titles: Titles): Html {
  const known = titles.get(lot);
  if (known === undefined) return lotName(lot);
  const { description, listingRef } = known;
  return listingRef === null
    ? html`${description}<br><span class="soft">${lotName(lot)}</span>`
    : html`<a href="/lots/${segment(listingRef)}">${description}</a>`;
}

/** Whom an address belongs to: the agent whose account it is, by name; the address itself where it is of none. */
export function holderName(address: string, handles: ReadonlyMap<string, string>): Html {
  const handle = handles.get(address.toLowerCase());
  return handle === undefined ? hex(address) : handleLink(handle);
}

/** A lot by its asset key: the number of the token and its contract, or the kind of its serial and the serial. */
export function lotName(lot: string): Html {
  const [, kind, serial] = /^serial:([a-z]+):(.+)$/.exec(lot) ?? [];
  if (kind !== undefined && serial !== undefined)
    return html`<span class="hex" title="${lot}">${serialName(kind, serial)}</span>`;
  const [, chain, contract, token] = /^(eip155:\d+)\/erc721:(0x[0-9a-f]{40})\/(\d+)$/i.exec(lot) ?? [];
  if (chain === undefined || contract === undefined || token === undefined)
    return lot.startsWith('0x') ? hex(lot) : html`<span class="hex">${lot}</span>`;
  return WORDS.token(lot, shortNumber(token), hex(contract));
}

/** A serial as people call it: "ISBN 9780306406157". */
export function serialName(kind: string, serial: string): string {
  return `${(WORDS.serials as Readonly<Record<string, string>>)[kind] ?? kind} ${serial}`;
}

const shortNumber = (token: string): string =>
  token.length > 10 ? `${token.slice(0, 4)}…${token.slice(-4)}` : token;

/** What people call a category; an unknown one by its id. */
export function categoryName(category: string): string {
  return (WORDS.categories as Readonly<Record<string, string>>)[category] ?? category;
}

/** What people call a chain; an unknown one by its CAIP-2 id. */
export function chainName(chain: string): string {
  return CHAINS.names[Number(/^eip155:(\d+)$/.exec(chain)?.[1])] ?? chain;
}

/** A sentence in which each chain has the name that people call it by. */
export function chainInSentence(words: string): string {
  return words.replace(/\beip155:(\d+)\b(?!\/)/g, (_, id: string) => {
    const chainId = Number(id);
    return CHAINS.inSentence[chainId] ?? CHAINS.names[chainId] ?? CHAINS.unnamed(chainId).toLowerCase();
  });
}

/** A value that people copy, in full. */
export function code(text: string): Html {
  return html`<code class="hex">${text}</code>`;
}

/** Links to where one may go next. */
export function waysOn(...links: readonly (readonly [to: string, words: string])[]): Html {
  return html`<p class="acts">${links.map(([to, words]) => html`<a class="button second" href="${to}">${words}</a>`)}</p>`;
}

/** A time: as a distance from now where it is near, in UTC to the minute otherwise, and always so in its tooltip. */
export function when(iso: string, now = Date.now()): Html {
  const [day, minute] = [iso.slice(0, 10), iso.slice(11, 16)];
  const near = fromNow(iso, now);
  if (near !== null) return html`<time datetime="${iso}" title="${day} ${WORDS.utc(minute)}">${near}</time>`;
  return html`<time datetime="${iso}"><span class="whole">${day}</span> <span class="whole">${WORDS.utc(minute)}</span></time>`;
}

/** Amber is for what could not be established, and for nothing else. */
const VERDICTS: Record<string, readonly [tone: Tone, sign: string]> = {
  CLEAN: ['clean', '✓'],
  PASS: ['clean', '✓'],
  FLAGGED: ['flagged', '✕'],
  FLAG: ['flagged', '✕'],
  INCONCLUSIVE: ['unverified', '?'],
};
export type Tone = 'clean' | 'flagged' | 'unverified' | 'waiting' | '';

/** The tone in which a verdict or outcome is shown. */
export function toneOf(word: string): Tone {
  return VERDICTS[word]?.[0] ?? '';
}

/** A verdict or outcome. The word and the sign carry the meaning, and colour only repeats it. */
export function verdict(word: string, size: '' | 'big' = ''): Html {
  const [tone, sign] = VERDICTS[word] ?? ['', ''];
  return html`<verdict-badge class="badge ${tone} ${size}"><span aria-hidden="true">${sign} </span>${word}</verdict-badge>`;
}

export function label(word: string, tone: Tone = '', size: '' | 'big' = ''): Html {
  return html`<span class="badge ${tone}${size && ' big'}">${word}</span>`;
}

export function handleLink(handle: string): Html {
  return html`<a href="/agent/${segment(handle)}">${handle}</a>`;
}

/** A link to a record. Long hex values in its text are shortened; the record shows them whole. */
export function recordLink(recordId: string, text: string, titles: Titles = NO_TITLES): Html {
  return html`<a href="/records/${segment(recordId)}">${shortened(text, titles)}</a>`;
}

/**
 * Shortens long hex values in a sentence, calls a lot by its title, or by its number and contract where it has none, and
 * writes times as pages do.
 */
export function shortened(words: string, titles: Titles = NO_TITLES): string {
  const titled = words.replace(/\b(?:eip155:\d+\/erc721:0x[0-9a-f]{40}\/\d+|serial:[a-z]+:\S+)/gi, (key) => {
    const known = titles.get(key);
    return known === undefined ? key : WORDS.titled(known.description);
  });
  const named = titled.replace(
    /eip155:\d+\/erc721:(0x[0-9a-f]{40})\/(\d+)/gi,
    (_, contract: string, token: string) => WORDS.tokenInSentence(shortNumber(token), contract),
  );
  return named
    .replace(/0x[0-9a-fA-F]{16,}/g, (long) => `${long.slice(0, 8)}…${long.slice(-6)}`)
    .replace(
      /\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?(?:\.\d+)?Z/g,
      (_, day: string, minute: string) => `${day} ${WORDS.utc(minute)}`,
    );
}

type EmptyWords = readonly [words: string, ...ways: (readonly [to: string, words: string])[]];

/** Where there is nothing yet: what it would be, and what to do. */
export function emptyState([words, ...ways]: EmptyWords): Html {
  return html`${words}${ways.map(([to, said]) => html` <a href="${to}">${said}</a>.`)}`;
}

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Html | string;
  readonly numeric?: boolean;
  /** The column holds sentences. */
  readonly wide?: boolean;
  /** The column holds one word, which is not broken. */
  readonly short?: boolean;
}

/**
 * A table with a caption; its first column names the row. Under 700 pixels each row becomes a card, in which each value
 * says what it is.
 * @param empty what to do where there is no row yet
 */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: Html | string,
): Html {
  if (rows.length === 0) return html`<div class="card empty"><p>${empty}</p></div>`;
  const form = (c: Column<Row>) =>
    c.numeric ? raw(' class="num"') : c.wide ? raw(' class="words"') : c.short ? raw(' class="short"') : '';
  const heads = columns.map((c) => html`<th scope="col"${form(c)}>${c.head}</th>`);
  const line = (row: Row) =>
    columns.map((c, i) =>
      i === 0
        ? html`<th scope="row">${c.cell(row)}</th>`
        : html`<td${form(c)} data-head="${c.head}"><div>${c.cell(row)}</div></td>`,
    );
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="rows">
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${line(row)}</tr>`)}</tbody>
</table></div>`;
}

/** A list of names and values. */
export function facts(pairs: readonly (readonly [string, Html | string | number])[]): Html {
  return html`<dl>${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

interface Paged {
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly next?: string;
}

/**
 * Links to the previous and next page that keep the filters of `query`. A list with a cursor goes forward by it, so
 * that new rows hide none, and goes back only to the first page.
 */
export function pager(path: string, query: Readonly<Record<string, unknown>>, list: Paged): Html {
  const { cursor, ...filters } = query;
  const link = (place: { offset?: number; cursor?: string }, text: string, rel: string) => {
    const kept = Object.entries<unknown>({ ...filters, limit: list.limit, ...place }).filter(
      ([, v]) => v !== undefined,
    );
    const search = new URLSearchParams(kept.map(([k, v]) => [k, String(v)]));
    return html`<a rel="${rel}" href="${path}?${search.toString()}">${text}</a>`;
  };
  const before =
    cursor !== undefined
      ? link({}, WORDS.newest, 'prev')
      : list.offset > 0 && link({ offset: Math.max(0, list.offset - list.limit) }, WORDS.newer, 'prev');
  const on = list.next === undefined ? { offset: list.offset + list.limit } : { cursor: list.next };
  const after = list.hasMore && link(on, WORDS.older, 'next');
  if (!before && !after) return html``;
  return html`<nav class="pager" aria-label="${WORDS.pages}">${before}${after}</nav>`;
}

/** A JSON document, readable and escaped. */
export function document(value: unknown, name: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${name}"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

import type { Flows } from '../../agents/determinations/wallet/money/flows.ts';
import type { WalletCommon, WalletFacts } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { chainInSentence } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { asObject, objects } from '../html/open-json.ts';
import { GRAPH } from '../words/determination.ts';

/** Somebody in the picture: who decides over the address, or with whom its money moved. */
interface Party {
  readonly address: string;
  readonly words: string;
  readonly listed: boolean;
}

const WIDTH = 760;
const ROW = 54;
const BOX = { width: 200, height: 42 } as const;
const MOST = 5;
const NOBODY = `0x${'0'.repeat(40)}`;

/**
 * Draws who decides over a wallet, and between whom its money moved: the largest parties of each way. Empty where the
 * evidence tells of neither. The table below it says the same in words.
 */
export function evidenceGraph(evidence: unknown): Html {
  const found = objects(asObject(evidence).determinations).find(({ id }) => id === 'wallet');
  if (found === undefined) return html``;
  const common = (found.common ?? {}) as Partial<WalletCommon>;
  const facts = objects(found.seats).map((s) => (s.facts ?? {}) as Partial<WalletFacts>);
  const { above, before, after } = partiesOf(common, facts);
  if (above.length + before.length + after.length === 0) return html``;
  return drawn(common.address ?? '', { above, before, after });
}

type Parties = Readonly<Record<'above' | 'before' | 'after', readonly Party[]>>;

function partiesOf(common: Partial<WalletCommon>, facts: readonly Partial<WalletFacts>[]): Parties {
  const listed = new Set([
    ...[common.sanctions, common.knownScam].flatMap((r) => r?.hits?.map((h) => h.key) ?? []),
    ...(common.transfers?.listed ?? []).map((l) => l.key),
  ]);
  const party = (address: string, words: string): Party => ({ address, words, listed: listed.has(address) });
  const principals = facts.flatMap((f) => f.chains ?? []).flatMap((c) => c.principals ?? []);
  const above = [
    ...principals.flatMap((p) => p.owners.map((owner) => party(owner, GRAPH.owns))),
    ...principals.flatMap((p) => (p.edges ?? []).map((e) => party(e.who, e.role))),
  ];
  const key = (common.address ?? '').toLowerCase();
  const flows = (common.transfers?.histories ?? [])
    .flatMap((h) => h.flows.map((f) => ({ ...f, chain: h.chain })))
    .filter((f) => f.of === key && f.parties.length > 0);
  const several = new Set(flows.map((f) => f.chain)).size > 1;
  const moved = (way: Flows['way']) =>
    flows
      .filter((f) => f.way === way)
      .flatMap(({ chain, parties }) =>
        parties.map((p) =>
          party(p.address, several ? GRAPH.on(amount(p), chainInSentence(chain)) : amount(p)),
        ),
      )
      .slice(0, MOST);
  return { above: once(above).slice(0, 3), before: moved('in'), after: moved('out') };
}

function once(parties: readonly Party[]): Party[] {
  return [...new Map(parties.map((p) => [p.address, p])).values()];
}

function amount({ usd, native }: { readonly usd: string; readonly native: string }): string {
  const dollars = Number(usd) / 1e6;
  if (dollars > 0) return `$${dollars.toLocaleString('en-US', { maximumFractionDigits: 2 })}`;
  return GRAPH.native((Number(native) / 1e18).toLocaleString('en-US', { maximumSignificantDigits: 3 }));
}

function drawn(address: string, { above, before, after }: Parties): Html {
  const top = above.length > 0 ? 96 : 16;
  const rows = Math.max(1, before.length, after.length);
  const height = top + rows * ROW + 12;
  const middle = top + (rows * ROW - BOX.height) / 2;
  const x = (WIDTH - BOX.width) / 2;
  const y = (i: number, count: number) => top + ((rows - count) / 2 + i) * ROW;
  const owners = above.map((p, i) => {
    const left = ((i + 1) * WIDTH) / (above.length + 1) - BOX.width / 2;
    return html`${edge(left + BOX.width / 2, 16 + BOX.height, WIDTH / 2, middle)}${box(p, left, 16)}`;
  });
  const sides = (parties: readonly Party[], left: number, from: (at: number) => Html) =>
    parties.map((p, i) => html`${from(y(i, parties.length))}${box(p, left, y(i, parties.length))}`);
  const half = BOX.height / 2;
  const into = (at: number) => edge(BOX.width + 4, at + half, x, middle + half);
  const out = (at: number) => edge(x + BOX.width, middle + half, WIDTH - BOX.width - 4, at + half);
  return html`<figure class="plot graph"><div role="region" aria-label="${GRAPH.region}" tabindex="0"><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="graph-title">
<title id="graph-title">${title({ above, before, after })}</title>
${owners}${sides(before, 4, into)}${sides(after, WIDTH - BOX.width - 4, out)}
${box({ address, words: GRAPH.asked, listed: false }, x, middle)}
</svg></div><figcaption>${GRAPH.caption}</figcaption></figure>`;
}

function title({ above, before, after }: Parties): string {
  const told = (words: string, parties: readonly Party[]) =>
    parties.length === 0 ? [] : [`${words} ${parties.map((p) => `${p.address} (${p.words})`).join(', ')}`];
  return [...told(GRAPH.above, above), ...told(GRAPH.before, before), ...told(GRAPH.after, after)].join('; ');
}

function edge(x1: number, y1: number, x2: number, y2: number): Html {
  return html`<line class="edge" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;
}

function box({ address, words, listed }: Party, x: number, y: number): Html {
  const middle = px(x + BOX.width / 2);
  const short =
    address === NOBODY
      ? GRAPH.made
      : address.length > 20
        ? `${address.slice(0, 8)}…${address.slice(-6)}`
        : address;
  const said = words.length > 28 ? `${words.slice(0, 27)}…` : words;
  return html`<rect class="node ${listed ? 'bad' : ''}" x="${px(x)}" y="${px(y)}" width="${BOX.width}" height="${BOX.height}" rx="8"/>
<text class="middle" x="${middle}" y="${px(y + 18)}">${short}</text><text class="middle" x="${middle}" y="${px(y + 34)}">${said}</text>`;
}

function px(value: number): string {
  return value.toFixed(1);
}

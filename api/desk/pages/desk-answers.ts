import { type Column, code, facts, hex, label, table, waysOn, when } from '../../html/components.ts';
import { type Html, html, segment } from '../../html/html.ts';
import type { Form } from '../../http/forms.ts';
import { type Answer, type Shown, showAnswer } from './answer-of-act.ts';
import { determined, evaluated } from './desk-determined.ts';
import { dealTable, orderTable } from './desk-lists.ts';
import { deliveries, subscribed, subscriptions } from './desk-webhooks.ts';

interface Listed {
  readonly listingRef: string;
  readonly certificate?: { readonly tokenId: string; readonly serial: string; readonly limit: string };
}

function listed({ listingRef, certificate }: Listed): Html {
  return html`${facts([
    ['Listing', code(listingRef)],
    ...(certificate === undefined
      ? []
      : ([
          [
            'Certificate',
            html`<a href="/certificates/${segment(certificate.tokenId)}">${certificate.serial}</a>`,
          ],
          ['What it is worth', certificate.limit],
        ] as const)),
  ])}
${waysOn([`/desk/feature?listingRef=${segment(listingRef)}`, 'Feature it'], ['/catalogue', 'See the catalogue'])}`;
}

interface Transferred {
  readonly tokenId: string;
  readonly from: string;
  readonly to: string;
  readonly tx: string;
  readonly recordUrl: string;
}

function transferred({ tokenId, from, to, tx, recordUrl }: Transferred): Html {
  return facts([
    [
      'Certificate',
      html`<a href="/certificates/${segment(tokenId)}"><span class="hex">${tokenId}</span></a>`,
    ],
    ['From', code(from)],
    ['To', code(to)],
    ['Transaction', code(tx)],
    ['Record', html`<a href="${recordUrl}">What is on the public record</a>`],
  ]);
}

interface Pledged {
  readonly pledgeId: string;
  readonly asset: string;
  readonly listingRef: string;
  readonly wallet: string;
  readonly until: string | null;
}

function pledged({ pledgeId, asset, listingRef, wallet, until }: Pledged): Html {
  return html`${facts([
    ['Pledge', code(pledgeId)],
    ['What', code(asset)],
    ['What for', listingRef],
    ['By', code(wallet)],
    ['Until', until === null ? 'it is released' : when(until)],
  ])}
<p>Keep the name of the pledge: it is what releases it.</p>
${waysOn([`/desk/release?pledgeId=${segment(pledgeId)}`, 'Release it'])}`;
}

interface Standing {
  readonly membership: { readonly kind: string; readonly until: string } | null;
}

function standing({ membership }: Standing, { wallet = '' }: Form): Html {
  if (membership === null) {
    return html`<p class="card">No membership covers <code class="hex">${wallet}</code> now.</p>
${waysOn([`/desk/membership?wallet=${segment(wallet)}`, 'Buy a membership'], ['/pricing', 'What it costs'])}`;
  }
  return html`${facts([
    ['Wallet', code(wallet)],
    ['Membership', label(membership.kind)],
    ['Until', when(membership.until)],
  ])}
${waysOn([`/desk/membership?wallet=${segment(wallet)}`, 'Buy the next year'], [`/desk/covered?wallet=${segment(wallet)}`, 'Name the wallets that it covers'])}`;
}

interface Covered {
  readonly wallet: string;
  readonly until: string;
  readonly wallets: readonly string[];
  readonly limit: number;
}

function covered({ wallet, until, wallets, limit }: Covered): Html {
  return html`${facts([
    ['Paid by', code(wallet)],
    ['Until', when(until)],
    ['Covered beside it', `${wallets.length} of ${limit}`],
  ])}
<ul class="card plain">${wallets.length === 0 ? html`<li>none</li>` : wallets.map((one) => html`<li>${code(one)}</li>`)}</ul>`;
}

interface Logged {
  readonly at: string;
  readonly action: string;
  readonly says: string;
  readonly lot: string | null;
}

const LOG: readonly Column<Logged>[] = [
  { head: 'When', cell: (l) => when(l.at) },
  { head: 'What', cell: (l) => label(l.action) },
  { head: 'Why', wide: true, cell: (l) => l.says },
  { head: 'Lot', cell: (l) => (l.lot === null ? '' : code(l.lot)) },
];

interface Signed {
  readonly kind: string;
  readonly version: number | null;
  readonly status: string;
  readonly reason: string | null;
  readonly tx: string | null;
  readonly updatedAt: string;
}

const SIGNED: readonly Column<Signed>[] = [
  { head: 'What', cell: (s) => (s.version === null ? s.kind : `${s.kind}, version ${s.version}`) },
  {
    head: 'State',
    wide: true,
    cell: (s) => html`${label(s.status)}${s.reason !== null && html` ${s.reason}`}`,
  },
  { head: 'Transaction', cell: (s) => (s.tx === null ? '' : hex(s.tx)) },
  { head: 'When', cell: (s) => when(s.updatedAt) },
];

function signed(act: Signed): Html {
  return facts([
    ['What', SIGNED[0]!.cell(act)],
    ['State', SIGNED[1]!.cell(act)],
    ...(act.tx === null ? [] : [['Transaction', code(act.tx)] as const]),
  ]);
}

type Items<Row> = { readonly items: readonly Row[] };
type Funds = { readonly funds?: Parameters<typeof orderTable>[2] };

/** By command; the answer of a command that is not here is shown as JSON. */
const SHOWN: Readonly<Record<string, Shown>> = {
  deals: ({ items }: Items<Parameters<typeof dealTable>[1][number]>, { handle = '' }) =>
    dealTable(handle, items),
  orders: ({ items, funds }: Items<Parameters<typeof orderTable>[1][number]> & Funds, { handle = '' }) =>
    orderTable(handle, items, funds),
  check: determined,
  evaluate: evaluated,
  mandate: signed,
  session: signed,
  list: listed,
  certify: listed,
  'certificate-transfer': transferred,
  pledge: pledged,
  release: ({ pledgeId }: { readonly pledgeId: string }) => facts([['Pledge', code(pledgeId)]]),
  subscribe: subscribed,
  subscriptions,
  deliveries,
  unsubscribe: ({ subscriptionId }: { readonly subscriptionId: string }) =>
    facts([['Subscription', code(subscriptionId)]]),
  standing,
  covered,
  log: ({ items }: Items<Logged>) =>
    table('What it decided', LOG, items, 'It has decided nothing by itself yet.'),
  acts: ({ items }: Items<Signed>) =>
    table('What you signed', SIGNED, items, 'Nothing was given to you to sign yet.'),
};

/** The result of a command for people; null when the plain JSON is shown. */
export function answerShown(actId: string, body: Answer, typed: Form): Html | null {
  const shown = SHOWN[actId];
  return shown === undefined ? null : showAnswer(shown, body, typed);
}

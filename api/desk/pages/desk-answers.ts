import {
  type Column,
  code,
  emptyState,
  facts,
  hex,
  label,
  table,
  waysOn,
  when,
} from '../../html/components.ts';
import { type Html, html, segment } from '../../html/html.ts';
import type { Form } from '../../http/forms.ts';
import { ANSWER } from '../../words/desk/answers.ts';
import { WORDS } from '../../words/every-page.ts';
import { type Answer, type Shown, showAnswer } from './answer-of-act.ts';
import { determined, evaluated } from './desk-determined.ts';
import { dealsWithDecisions, orderTable } from './desk-lists.ts';
import { deliveries, subscribed, subscriptions } from './desk-webhooks.ts';

interface Listed {
  readonly listingRef: string;
  readonly certificate?: { readonly tokenId: string; readonly serial: string; readonly limit: string };
}

function listed({ listingRef, certificate }: Listed): Html {
  return html`${facts([
    [ANSWER.listing, code(listingRef)],
    ...(certificate === undefined
      ? []
      : ([
          [
            ANSWER.certificate,
            html`<a href="/certificates/${segment(certificate.tokenId)}">${certificate.serial}</a>`,
          ],
          [ANSWER.worth, certificate.limit],
        ] as const)),
  ])}
${waysOn([`/desk/feature?listingRef=${segment(listingRef)}`, ANSWER.feature], ['/catalogue', ANSWER.catalogue])}`;
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
      ANSWER.certificate,
      html`<a href="/certificates/${segment(tokenId)}"><span class="hex">${tokenId}</span></a>`,
    ],
    [ANSWER.from, code(from)],
    [ANSWER.to, code(to)],
    [ANSWER.transaction, code(tx)],
    [ANSWER.record, html`<a href="${recordUrl}">${ANSWER.publicRecord}</a>`],
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
    [ANSWER.pledge, code(pledgeId)],
    [ANSWER.what, code(asset)],
    [ANSWER.whatFor, listingRef],
    [ANSWER.by, code(wallet)],
    ...(until === null ? [] : [[ANSWER.due, when(until)] as const]),
    [ANSWER.until, ANSWER.untilReleased],
  ])}
<p>${ANSWER.keepName}</p>
${waysOn([`/desk/release?pledgeId=${segment(pledgeId)}`, ANSWER.release])}`;
}

interface Standing {
  readonly membership: { readonly kind: string; readonly until: string } | null;
}

function standing({ membership }: Standing, { wallet = '' }: Form): Html {
  if (membership === null) {
    return html`<p class="card">${ANSWER.notCovered(wallet)}</p>
${waysOn([`/desk/membership?wallet=${segment(wallet)}`, ANSWER.buyMembership], ['/pricing', ANSWER.costs])}`;
  }
  return html`${facts([
    [ANSWER.wallet, code(wallet)],
    [ANSWER.membership, label(membership.kind)],
    [ANSWER.until, when(membership.until)],
  ])}
${waysOn([`/desk/membership?wallet=${segment(wallet)}`, ANSWER.nextYear], [`/desk/covered?wallet=${segment(wallet)}`, ANSWER.nameWallets])}`;
}

interface Covered {
  readonly wallet: string;
  readonly until: string;
  readonly wallets: readonly string[];
  readonly limit: number;
}

function covered({ wallet, until, wallets, limit }: Covered): Html {
  return html`${facts([
    [ANSWER.paidBy, code(wallet)],
    [ANSWER.until, when(until)],
    [ANSWER.covered, ANSWER.ofLimit(wallets.length, limit)],
  ])}
<ul class="card plain">${wallets.length === 0 ? html`<li>${ANSWER.none}</li>` : wallets.map((one) => html`<li>${code(one)}</li>`)}</ul>`;
}

interface Logged {
  readonly at: string;
  readonly action: string;
  readonly says: string;
  readonly lot: string | null;
}

const LOG: readonly Column<Logged>[] = [
  { head: ANSWER.when, cell: (l) => when(l.at) },
  { head: ANSWER.what, cell: (l) => label(l.action) },
  { head: ANSWER.why, wide: true, cell: (l) => l.says },
  { head: ANSWER.lot, cell: (l) => (l.lot === null ? '' : code(l.lot)) },
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
  { head: ANSWER.what, cell: (s) => (s.version === null ? s.kind : ANSWER.version(s.kind, s.version)) },
  {
    head: ANSWER.state,
    wide: true,
    cell: (s) => html`${label(s.status)}${s.reason !== null && html` ${s.reason}`}`,
  },
  { head: ANSWER.transaction, cell: (s) => (s.tx === null ? '' : hex(s.tx)) },
  { head: ANSWER.when, cell: (s) => when(s.updatedAt) },
];

function signed(act: Signed): Html {
  return facts([
    [ANSWER.what, SIGNED[0]!.cell(act)],
    [ANSWER.state, SIGNED[1]!.cell(act)],
    ...(act.tx === null ? [] : [[ANSWER.transaction, code(act.tx)] as const]),
  ]);
}

type Items<Row> = { readonly items: readonly Row[] };
type Funds = { readonly funds?: Parameters<typeof orderTable>[2] };

/** By command; the answer of a command that is not here is shown as JSON. */
const SHOWN: Readonly<Record<string, Shown>> = {
  deals: ({ items }: Items<Parameters<typeof dealsWithDecisions>[1][number]>, { handle = '' }) =>
    dealsWithDecisions(handle, items),
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
  release: ({ pledgeId }: { readonly pledgeId: string }) => facts([[ANSWER.pledge, code(pledgeId)]]),
  subscribe: subscribed,
  subscriptions,
  deliveries,
  unsubscribe: ({ subscriptionId }: { readonly subscriptionId: string }) =>
    facts([[ANSWER.subscription, code(subscriptionId)]]),
  standing,
  covered,
  log: ({ items }: Items<Logged>) => table(ANSWER.log, LOG, items, emptyState(WORDS.empty.log)),
  acts: ({ items }: Items<Signed>) => table(ANSWER.acts, SIGNED, items, emptyState(WORDS.empty.acts)),
};

/** The result of a command for people; null when the plain JSON is shown. */
export function answerShown(actId: string, body: Answer, typed: Form): Html | null {
  const shown = SHOWN[actId];
  return shown === undefined ? null : showAnswer(shown, body, typed);
}

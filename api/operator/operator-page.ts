import type { Readings } from '../../runtime/telemetry/metrics.ts';
import type { DeadLetter } from '../../store/durable/dead-letters.ts';
import type { WorkerRow } from '../../store/durable/workers.ts';
import type { Throughput } from '../../store/records/throughput.ts';
import { type Column, chainName, hex, label, table, when } from '../html/components.ts';
import { hiddenFields } from '../html/fields.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { OPERATOR } from '../words/operator.ts';

type Read<K extends keyof Readings> = Awaited<ReturnType<Readings[K]>> | null;

/** What an operator looks at. A part that could not be read is null, and the page says so. */
export interface OperatorView {
  readonly throughput: Throughput | null;
  readonly deadLetters: readonly DeadLetter[] | null;
  readonly workers: readonly WorkerRow[] | null;
  readonly lists: readonly ListRow[] | null;
  readonly backlog: Read<'backlog'>;
  readonly webhooks: Read<'webhooks'>;
  readonly quarantine: Read<'quarantine'>;
  readonly gas: Read<'gas'>;
  readonly relays: Read<'relays'>;
  readonly signers: Read<'signers'>;
}

/** An imported list, as its status tells it. */
interface ListRow {
  readonly list: string;
  readonly register: string;
  readonly rows: number;
  readonly asOf: string | null;
  readonly state: string;
  readonly maxAgeDays: number;
}

/** The page that an operator leaves open on a screen. @param said what came of the last act */
export function operatorPage(view: OperatorView, said: string | null = null): Html {
  const body = html`<h1>${OPERATOR.heading}</h1>
${said !== null && html`<p class="card good" role="status">${said}</p>`}
<div data-live="${OPERATOR.told}" id="operator" data-events="only=match,activity">
${figures(view)}
<h2>${OPERATOR.letters.heading}</h2>
${shown(view.deadLetters, (rows) => table(OPERATOR.letters.caption, LETTERS, rows, OPERATOR.letters.none))}
<h2>${OPERATOR.workers.heading}</h2>
${shown(view.workers, (rows) => table(OPERATOR.workers.caption, WORKERS, rows, OPERATOR.workers.none))}
<h2>${OPERATOR.lists.heading}</h2>
${shown(view.lists, (rows) => table(OPERATOR.lists.caption, LISTS, rows, OPERATOR.lists.none))}
<h2>${OPERATOR.gas.heading}</h2>
${shown(view.signers, (rows) => table(OPERATOR.gas.signers, SIGNERS, rows, OPERATOR.gas.noSigner))}
${shown(view.gas, ({ classes }) => table(OPERATOR.gas.budgets, BUDGETS, classes, OPERATOR.gas.noBudget))}
${view.relays !== null && html`<p>${OPERATOR.gas.relays(view.relays.spent.toLocaleString('en-US'), view.relays.limit.toLocaleString('en-US'))}</p>`}
</div>
<p class="acts"><a class="button second" href="/operator/queues">${OPERATOR.queues}</a> <a class="button second" href="/health">${OPERATOR.health}</a></p>`;
  return page(OPERATOR.heading, body);
}

function shown<T>(value: T | null, render: (value: T) => Html): Html {
  return value === null ? html`<p class="card">${OPERATOR.unread}</p>` : render(value);
}

function figures({ throughput, backlog, webhooks, quarantine }: OperatorView): Html {
  const aside = quarantine?.reduce((sum, q) => sum + q.count, 0);
  const all: readonly (readonly [value: number | string | undefined | null, words: string])[] = [
    [throughput?.matched, OPERATOR.figures.matched],
    [throughput?.settled, OPERATOR.figures.settled],
    [throughput?.stopped, OPERATOR.figures.stopped],
    [throughput?.waitForOwners, OPERATOR.figures.waitForOwners],
    [throughput?.openDisputes, OPERATOR.figures.openDisputes],
    [backlog?.unservedEvents, OPERATOR.figures.unserved],
    [backlog === null ? null : seconds(backlog.oldestUnserved), OPERATOR.figures.oldest],
    [webhooks?.waiting, OPERATOR.figures.webhooks],
    [aside, OPERATOR.figures.quarantine],
  ];
  return html`<ul class="figures">${all.map(([value, words]) => html`<li><strong>${value ?? OPERATOR.figures.unknown}</strong><span>${words}</span></li>`)}</ul>`;
}

function seconds(age: number | null): string {
  const { none, seconds: inSeconds, minutes } = OPERATOR.age;
  return age === null ? none : age < 120 ? inSeconds(Math.round(age)) : minutes(Math.round(age / 60));
}

const LETTERS: readonly Column<DeadLetter>[] = [
  { head: OPERATOR.letters.columns.what, cell: (d) => html`<code>${d.id}</code> ${d.kind}` },
  { head: OPERATOR.letters.columns.of, cell: (d) => hex(d.actorId ?? OPERATOR.letters.ofService) },
  { head: OPERATOR.letters.columns.why, wide: true, cell: (d) => d.reason ?? OPERATOR.letters.noReason },
  { head: OPERATOR.letters.columns.since, cell: (d) => when(d.since.toISOString()) },
  {
    head: OPERATOR.letters.columns.act,
    cell: (d) =>
      html`<form action="/operator/redrive" method="post">${hiddenFields({ id: d.id })}<button class="second">${OPERATOR.letters.again}<span class="hidden">${OPERATOR.letters.againOf(d.id)}</span></button></form>`,
  },
];

const SILENT_SECONDS = 15;

const WORKERS: readonly Column<WorkerRow>[] = [
  {
    head: OPERATOR.workers.columns.worker,
    cell: (w) => html`${w.host} <span class="soft">${OPERATOR.workers.process(w.pid)}</span>`,
  },
  {
    head: OPERATOR.workers.columns.state,
    cell: (w) =>
      w.silent > SILENT_SECONDS
        ? label(OPERATOR.workers.silent(Math.round(w.silent)), 'flagged')
        : label(OPERATOR.workers.alive, 'clean'),
  },
  { head: OPERATOR.workers.columns.inHand, numeric: true, cell: (w) => String(w.in_hand) },
  { head: OPERATOR.workers.columns.leads, cell: (w) => (w.leader ? OPERATOR.workers.leads : '') },
];

const LISTS: readonly Column<ListRow>[] = [
  { head: OPERATOR.lists.columns.list, cell: (l) => html`${l.list} <span class="soft">${l.register}</span>` },
  {
    head: OPERATOR.lists.columns.state,
    cell: (l) => label(l.state, l.state === 'fresh' ? 'clean' : 'flagged'),
  },
  {
    head: OPERATOR.lists.columns.asOf,
    cell: (l) => (l.asOf === null ? OPERATOR.lists.unknown : when(l.asOf)),
  },
  { head: OPERATOR.lists.columns.rows, numeric: true, cell: (l) => l.rows.toLocaleString('en-US') },
  { head: OPERATOR.lists.columns.mayBe, cell: (l) => OPERATOR.lists.days(l.maxAgeDays) },
];

const FOUR_PLACES = { minimumFractionDigits: 4, maximumFractionDigits: 4 } as const;

type SignerRow = NonNullable<OperatorView['signers']>[number];
const SIGNERS: readonly Column<SignerRow>[] = [
  { head: OPERATOR.gas.signerColumns.signer, cell: (s) => s.role },
  { head: OPERATOR.gas.signerColumns.chain, cell: (s) => chainName(`eip155:${s.chain}`) },
  {
    head: OPERATOR.gas.signerColumns.ether,
    numeric: true,
    cell: (s) => s.balance.toLocaleString('en-US', FOUR_PLACES),
  },
  // A settlement costs about 400,000 gas; at one gwei that is 0.0004 ether.
  {
    head: OPERATOR.gas.signerColumns.settlements,
    numeric: true,
    cell: (s) => Math.floor(s.balance / 4e-4).toLocaleString('en-US'),
  },
];

type BudgetRow = NonNullable<OperatorView['gas']>['classes'][number];
const BUDGETS: readonly Column<BudgetRow>[] = [
  { head: OPERATOR.gas.budgetColumns.payers, cell: (b) => OPERATOR.gas.payers[b.kind] ?? b.kind },
  {
    head: OPERATOR.gas.budgetColumns.state,
    cell: (b) => (b.exhausted ? label(OPERATOR.gas.usedUp, 'flagged') : label(OPERATOR.gas.hasRoom, 'clean')),
  },
  { head: OPERATOR.gas.budgetColumns.failed, numeric: true, cell: (b) => String(b.failed) },
  { head: OPERATOR.gas.budgetColumns.spent, numeric: true, cell: (b) => b.spentGas.toLocaleString('en-US') },
  {
    head: OPERATOR.gas.budgetColumns.left,
    numeric: true,
    cell: (b) => (b.leftGas === null ? OPERATOR.gas.noLimit : b.leftGas.toLocaleString('en-US')),
  },
];

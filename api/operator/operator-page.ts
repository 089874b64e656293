import type { Readings } from '../../runtime/telemetry/metrics.ts';
import type { DeadLetter } from '../../store/durable/dead-letters.ts';
import type { WorkerRow } from '../../store/durable/workers.ts';
import type { Throughput } from '../../store/records/throughput.ts';
import { type Column, hex, label, table, when } from '../html/components.ts';
import { hiddenFields } from '../html/fields.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';

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
  const body = html`<h1>Operator</h1>
${said !== null && html`<p class="card good" role="status">${said}</p>`}
<div data-live="what the operator watches" id="operator" data-events="only=match,activity">
${figures(view)}
<h2>Given up</h2>
${shown(view.deadLetters, (rows) => table('Dead letters, the oldest first', LETTERS, rows, 'Nothing was given up.'))}
<h2>Workers</h2>
${shown(view.workers, (rows) => table('Workers by their last heartbeat', WORKERS, rows, 'No worker runs: nothing is settled until one does.'))}
<h2>Lists</h2>
${shown(view.lists, (rows) => table('Imported lists', LISTS, rows, 'No list is imported: nothing is CLEAN until one is.'))}
<h2>Gas</h2>
${shown(view.signers, (rows) => table('What the signers hold', SIGNERS, rows, 'No signer is known.'))}
${shown(view.gas, ({ classes }) => table('Budgets of failed settlements', BUDGETS, classes, 'No budget is set.'))}
${view.relays !== null && html`<p>Relays for contract wallets burnt ${String(view.relays.spent)} of ${String(view.relays.limit)} gas.</p>`}
</div>
<p class="acts"><a class="button second" href="/operator/queues">The queues</a> <a class="button second" href="/health">Health</a></p>`;
  return page('Operator', body);
}

function shown<T>(value: T | null, render: (value: T) => Html): Html {
  return value === null ? html`<p class="card">It could not be read now.</p>` : render(value);
}

function figures({ throughput, backlog, webhooks, quarantine }: OperatorView): Html {
  const aside = quarantine?.reduce((sum, q) => sum + q.count, 0);
  const all: readonly (readonly [value: number | string | undefined | null, words: string])[] = [
    [throughput?.matched, 'deals made in the last hour'],
    [throughput?.settled, 'settled in the last hour'],
    [throughput?.stopped, 'stopped in the last hour'],
    [throughput?.waitForOwners, 'wait for their owners'],
    [throughput?.openDisputes, 'disputes are open'],
    [backlog?.unservedEvents, 'events wait to be served'],
    [backlog === null ? null : seconds(backlog.oldestUnserved), 'the oldest of them waits'],
    [webhooks?.waiting, 'webhooks wait'],
    [aside, 'set aside by periodic tasks'],
  ];
  return html`<ul class="figures">${all.map(([value, words]) => html`<li><strong>${value ?? '?'}</strong><span>${words}</span></li>`)}</ul>`;
}

function seconds(age: number | null): string {
  return age === null ? 'none' : age < 120 ? `${Math.round(age)} s` : `${Math.round(age / 60)} min`;
}

const LETTERS: readonly Column<DeadLetter>[] = [
  { head: 'What', cell: (d) => html`<code>${d.id}</code> ${d.kind}` },
  { head: 'Of', cell: (d) => hex(d.actorId ?? 'the service') },
  { head: 'Why', wide: true, cell: (d) => d.reason ?? 'no reason was kept' },
  { head: 'Since', cell: (d) => when(d.since.toISOString()) },
  {
    head: 'Do',
    cell: (d) =>
      html`<form action="/operator/redrive" method="post">${hiddenFields({ id: d.id })}<button class="second">Try it again<span class="hidden">: ${d.id}</span></button></form>`,
  },
];

const SILENT_SECONDS = 15;

const WORKERS: readonly Column<WorkerRow>[] = [
  { head: 'Worker', cell: (w) => html`${w.host} <span class="soft">pid ${w.pid}</span>` },
  {
    head: 'State',
    cell: (w) =>
      w.silent > SILENT_SECONDS
        ? label(`silent for ${Math.round(w.silent)} s`, 'flagged')
        : label('alive', 'clean'),
  },
  { head: 'In hand', numeric: true, cell: (w) => String(w.in_hand) },
  { head: 'Leads', cell: (w) => (w.leader ? 'yes' : '') },
];

const LISTS: readonly Column<ListRow>[] = [
  { head: 'List', cell: (l) => html`${l.list} <span class="soft">${l.register}</span>` },
  { head: 'State', cell: (l) => label(l.state, l.state === 'fresh' ? 'clean' : 'flagged') },
  { head: 'As of', cell: (l) => (l.asOf === null ? 'unknown' : when(l.asOf)) },
  { head: 'Rows', numeric: true, cell: (l) => l.rows.toLocaleString('en-US') },
  { head: 'May be', cell: (l) => `${l.maxAgeDays} days old` },
];

type SignerRow = NonNullable<OperatorView['signers']>[number];
const SIGNERS: readonly Column<SignerRow>[] = [
  { head: 'Signer', cell: (s) => s.role },
  { head: 'Chain', cell: (s) => s.chain },
  { head: 'Ether', numeric: true, cell: (s) => (s.balance / 1e18).toFixed(4) },
  // A settlement costs about 400,000 gas; at one gwei that is 0.0004 ether.
  { head: 'Settlements at 1 gwei', numeric: true, cell: (s) => String(Math.floor(s.balance / 4e14)) },
];

type BudgetRow = NonNullable<OperatorView['gas']>['classes'][number];
const BUDGETS: readonly Column<BudgetRow>[] = [
  { head: 'Payers', cell: (b) => b.kind },
  { head: 'State', cell: (b) => (b.exhausted ? label('used up', 'flagged') : label('has room', 'clean')) },
  { head: 'Failed', numeric: true, cell: (b) => String(b.failed) },
  { head: 'Gas spent', numeric: true, cell: (b) => b.spentGas.toLocaleString('en-US') },
  {
    head: 'Gas left',
    numeric: true,
    cell: (b) => (b.leftGas === null ? 'no limit' : b.leftGas.toLocaleString('en-US')),
  },
];

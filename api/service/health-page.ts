import { type Column, facts, table } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { HealthDocument } from '../shapes.ts';

interface PartRow {
  readonly name: string;
  readonly status: string;
  readonly told: Readonly<Record<string, unknown>>;
}

const TONES: Readonly<Record<string, readonly [string, string]>> = {
  ok: ['clean', '✓'],
  degraded: ['open', '!'],
  down: ['flag', '✕'],
  leaving: ['open', '!'],
};

const PARTS: readonly Column<PartRow>[] = [
  { head: 'Part', cell: (r) => r.name },
  { head: 'State', cell: (r) => state(r.status) },
  { head: 'What it says', wide: true, cell: (r) => told(r.told) },
];

/** The page that shows the health of the service and its parts. */
export function healthPage(health: HealthDocument): Html {
  const { chains, ...parts } = health.checks;
  const rows = [
    ...Object.entries(parts),
    ...Object.entries(chains).map(([id, part]) => [`chain ${id}`, part] as const),
  ].flatMap(([name, part]) => {
    if (part === undefined) return [];
    const { status, ...rest } = part;
    return [{ name, status, told: rest }];
  });
  const body = html`<h1>Status</h1>
<p class="lead">${state(health.status)} ${WORDS[health.status]}</p>
${table('Parts of the service', PARTS, rows, '')}
${facts([
  ['Version', health.version],
  ['Up for', `${health.uptimeSeconds} seconds`],
])}`;
  return page('Status', body);
}

const WORDS: Readonly<Record<HealthDocument['status'], string>> = {
  ok: 'Everything answers.',
  degraded: 'It serves, and a part of it needs a person.',
  down: 'It cannot serve.',
  leaving: 'It serves until it ends, in a moment. Others go on.',
};

function state(word: string): Html {
  const [tone, sign] = TONES[word] ?? ['', ''];
  return html`<span class="badge ${tone}"><span aria-hidden="true">${sign} </span>${word}</span>`;
}

/** The facts of a part that are words or figures. Nested facts are left to programs. */
function told(part: Readonly<Record<string, unknown>>): string {
  return Object.entries(part)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => PLAIN[name]?.(value) ?? `${name} ${value}`)
    .join('; ');
}

const PLAIN: Readonly<Record<string, (value: unknown) => string>> = {
  latencyMs: (value) => `answers in ${value} ms`,
  block: (value) => `at block ${value}`,
  detail: String,
  waiting: (value) => `${value} waiting`,
  kind: String,
  failedSettlements: (value) => `${value} failed settlements`,
};

import { type Column, chainName, facts, type Tone, table } from '../html/components.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { HealthDocument } from '../shapes.ts';
import { HEALTH } from '../words/service.ts';

interface PartRow {
  readonly name: string;
  readonly status: string;
  readonly told: Readonly<Record<string, unknown>>;
}

const TONES: Readonly<Record<string, readonly [Tone, string]>> = {
  ok: ['clean', '✓'],
  degraded: ['waiting', '!'],
  down: ['flagged', '✕'],
  leaving: ['waiting', '!'],
};

const PARTS: readonly Column<PartRow>[] = [
  { head: HEALTH.columns.part, cell: (r) => r.name },
  { head: HEALTH.columns.state, cell: (r) => state(r.status) },
  { head: HEALTH.columns.told, wide: true, cell: (r) => told(r.told) },
];

/** The page that shows the health of the service and its parts. */
export function healthPage(health: HealthDocument): Html {
  const { chains, ...parts } = health.checks;
  const rows = [
    ...Object.entries(parts),
    ...Object.entries(chains).map(([id, part]) => [chainName(`eip155:${id}`), part] as const),
  ].flatMap(([name, part]) => {
    if (part === undefined) return [];
    const { status, ...rest } = part;
    return [{ name, status, told: rest }];
  });
  const body = html`<h1>${HEALTH.heading}</h1>
<p class="lead">${state(health.status)} ${HEALTH.states[health.status]}</p>
${table(HEALTH.caption, PARTS, rows, '')}
${facts([
  [HEALTH.version, health.version],
  [HEALTH.up, HEALTH.upFor(health.uptimeSeconds)],
])}`;
  return page(HEALTH.heading, body);
}

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
  latencyMs: HEALTH.latency,
  block: HEALTH.block,
  detail: String,
  inconclusive: String,
  waiting: HEALTH.waiting,
  kind: String,
  failedSettlements: HEALTH.failed,
};

import { label } from '../html/components.ts';
import { type Html, html, sentence } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { asObject, objects, text } from '../html/open-json.ts';
import { DEVELOPERS } from '../words/developers.ts';
import { example } from './examples.ts';

/** One operation of the interface, as its description tells it. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly proof: string;
  readonly parameters: readonly Parameter[];
  readonly body: Record<string, unknown> | null;
  readonly answers: readonly (readonly [status: string, words: string])[];
}

interface Parameter {
  readonly name: string;
  readonly where: string;
  readonly required: boolean;
  readonly words: string;
}

/** The developers' page, rendered from the interface description (OpenAPI 3.1) itself. */
export function developersPage(description: unknown, baseUrl: string): Html {
  const operations = operationsIn(asObject(description));
  const tags = [...new Set([...Object.keys(DEVELOPERS.tags), ...operations.map((o) => o.tag)])];
  const body = html`<h1>${DEVELOPERS.heading}</h1>
<p class="lead">${DEVELOPERS.lead}</p>
<ul class="grid">${[DEVELOPERS.description, DEVELOPERS.changed, DEVELOPERS.events].map(
    ({ heading, words }) => html`<li class="card"><h2>${heading}</h2><p>${words}</p></li>`,
  )}</ul>
<h2>${DEVELOPERS.ask.heading}</h2>
<p>${DEVELOPERS.ask.words}</p>
${example(baseUrl)}
<h2>${DEVELOPERS.run.heading}</h2>
<p>${DEVELOPERS.run.words}</p>
<run-example data-paths="/pricing /health /catalogue?limit=2 /matches?limit=2 /agents/directory?limit=2"><noscript><p class="card">${DEVELOPERS.run.noScript}</p></noscript></run-example>
<h2>${DEVELOPERS.webhook.heading}</h2>
<p>${DEVELOPERS.webhook.words}</p>
<webhook-check><noscript><p class="card">${DEVELOPERS.webhook.noScript}</p></noscript></webhook-check>
<h2>${DEVELOPERS.interface}</h2>
${tags.map((tag) => group(tag, operations))}`;
  return page(DEVELOPERS.heading, body, '/developers');
}

function group(tag: string, operations: readonly Operation[]): Html | false {
  const own = operations.filter((o) => o.tag === tag);
  return (
    own.length > 0 &&
    html`<section aria-label="${DEVELOPERS.tags[tag] ?? tag}"><h3>${DEVELOPERS.tags[tag] ?? tag}</h3>${own.map(operationView)}</section>`
  );
}

function operationView(o: Operation): Html {
  return html`<details class="operation" id="${o.id}"><summary><code>${o.method}</code> <code class="hex">${o.path}</code> <span class="soft">${o.summary}</span></summary><div class="card">
<p>${label(o.proof)} <code>${o.id}</code></p>
${o.description !== '' && html`<p>${sentence(o.description)}</p>`}
${o.parameters.length > 0 && html`<h4>${DEVELOPERS.parameters}</h4><dl>${o.parameters.map((p) => html`<dt><code>${p.name}</code> <span class="soft">${p.where}${p.required && DEVELOPERS.required}</span></dt><dd>${sentence(p.words || '—')}</dd>`)}</dl>`}
${o.body !== null && html`<h4>${DEVELOPERS.body}</h4>${bodyView(o.body)}`}
<h4>${DEVELOPERS.answers}</h4><dl>${o.answers.map(([status, words]) => html`<dt><code>${status}</code></dt><dd>${sentence(words)}</dd>`)}</dl></div></details>`;
}

function bodyView(schema: Record<string, unknown>): Html {
  const required = new Set((Array.isArray(schema.required) ? schema.required : []).map(String));
  const members = Object.entries(asObject(schema.properties));
  return html`<dl>${members.map(([name, member]) => {
    const { type, description } = asObject(member);
    return html`<dt><code>${name}</code> <span class="soft">${text(type)}${required.has(name) && DEVELOPERS.required}</span></dt><dd>${sentence(text(description) || '—')}</dd>`;
  })}</dl>`;
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

function operationsIn(description: Record<string, unknown>): Operation[] {
  return Object.entries(asObject(description.paths)).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const found = asObject(methods)[method];
      return found === undefined ? [] : [operation(method, path, asObject(found))];
    }),
  );
}

function operation(method: string, path: string, o: Record<string, unknown>): Operation {
  const content = asObject(asObject(o.requestBody).content);
  const schema = asObject(asObject(content['application/json']).schema);
  const [first] = objects(schema.anyOf);
  return {
    method: method.toUpperCase(),
    path,
    id: text(o.operationId),
    tag: Array.isArray(o.tags) ? String(o.tags[0]) : 'service',
    summary: text(o.summary),
    description: text(o.description),
    proof: proofOf(o.security),
    parameters: objects(o.parameters).map((p) => ({
      name: text(p.name),
      where: text(p.in),
      required: p.required === true,
      words: text(p.description) || text(asObject(p.schema).description),
    })),
    body: o.requestBody === undefined ? null : (first ?? schema),
    answers: Object.entries(asObject(o.responses)).map(([status, answer]) => [
      status,
      text(asObject(answer).description),
    ]),
  };
}

function proofOf(security: unknown): string {
  const names = objects(security).flatMap((s) => Object.keys(s));
  if (names.includes('ownerSignature')) return DEVELOPERS.proof.ownerSignature;
  if (names.includes('x402')) return DEVELOPERS.proof.x402;
  if (names.includes('operatorKey')) return DEVELOPERS.proof.operatorKey;
  return DEVELOPERS.proof.none;
}

import { label } from '../html/components.ts';
import { type Html, html, sentence } from '../html/html.ts';
import { page } from '../html/layout.ts';
import { asObject, objects, text } from '../html/open-json.ts';
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

const TAGS: Readonly<Record<string, string>> = {
  determinations: 'Checks, paid by call',
  market: 'The market',
  agents: 'Agents',
  owners: 'What an owner signs',
  records: 'Records',
  service: 'The service',
};

/** The developers' page, rendered from the interface description (OpenAPI 3.1) itself. */
export function developersPage(description: unknown, baseUrl: string): Html {
  const operations = operationsIn(asObject(description));
  const tags = [...new Set([...Object.keys(TAGS), ...operations.map((o) => o.tag)])];
  const body = html`<h1>Developers</h1>
<p class="lead">Everything that the pages do goes through one public interface. Nothing is registered: a call is paid by x402 or signed by a wallet.</p>
<ul class="grid">
<li class="card"><h2>The description</h2><p><a href="/openapi.json">OpenAPI 3.1</a>, <a href="/.well-known/x402">what is paid for</a>, <a href="/llms.txt">for language models</a>. <code>POST /mcp</code> has the tools for AI agents.</p></li>
<li class="card"><h2>What changed</h2><p><a href="/changelog">The changelog</a>, and <a href="/errors/payment-required">what each error means</a>.</p></li>
<li class="card"><h2>As it happens</h2><p><code>GET /events</code> streams deals, listings and records. Owners get <a href="/desk/subscribe">webhooks</a>.</p></li>
</ul>
<h2>Ask about a wallet</h2>
<p>Unpaid, the answer is 402 with the ways to pay; any x402 client pays the cent by itself.</p>
${example(baseUrl)}
<h2>Try it</h2>
<p>These are free and need no key.</p>
<run-example data-paths="/pricing /health /catalogue?limit=2 /matches?limit=2 /agents/directory?limit=2"></run-example>
<h2>Check a webhook</h2>
<p>Paste what your program received. The signature (Standard Webhooks, HMAC-SHA256) is reckoned in this browser; nothing is sent.</p>
<webhook-check><noscript><p class="card">This needs script.</p></noscript></webhook-check>
<h2>The interface</h2>
${tags.map((tag) => group(tag, operations))}`;
  return page('Developers', body, '/developers');
}

function group(tag: string, operations: readonly Operation[]): Html | false {
  const own = operations.filter((o) => o.tag === tag);
  return (
    own.length > 0 &&
    html`<section aria-label="${TAGS[tag] ?? tag}"><h3>${TAGS[tag] ?? tag}</h3>${own.map(operationView)}</section>`
  );
}

function operationView(o: Operation): Html {
  return html`<details class="operation" id="${o.id}"><summary><code>${o.method}</code> <code class="hex">${o.path}</code> <span class="soft">${o.summary}</span></summary><div class="card">
<p>${label(o.proof)} <code>${o.id}</code></p>
${o.description !== '' && html`<p>${sentence(o.description)}</p>`}
${o.parameters.length > 0 && html`<h4>Parameters</h4><dl>${o.parameters.map((p) => html`<dt><code>${p.name}</code> <span class="soft">${p.where}${p.required && ', required'}</span></dt><dd>${sentence(p.words || '—')}</dd>`)}</dl>`}
${o.body !== null && html`<h4>Body</h4>${bodyView(o.body)}`}
<h4>Answers</h4><dl>${o.answers.map(([status, words]) => html`<dt><code>${status}</code></dt><dd>${sentence(words)}</dd>`)}</dl></div></details>`;
}

function bodyView(schema: Record<string, unknown>): Html {
  const required = new Set((Array.isArray(schema.required) ? schema.required : []).map(String));
  const members = Object.entries(asObject(schema.properties));
  return html`<dl>${members.map(([name, member]) => {
    const { type, description } = asObject(member);
    return html`<dt><code>${name}</code> <span class="soft">${text(type)}${required.has(name) && ', required'}</span></dt><dd>${sentence(text(description) || '—')}</dd>`;
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
  if (names.includes('ownerSignature')) return 'signed by its owner';
  if (names.includes('x402')) return 'paid by x402';
  if (names.includes('operatorKey')) return 'an operator key';
  return 'free';
}

import { Type } from 'typebox';
import { chargeFor, type PriceId, type Prices, priceName } from '../../agents/market/pricing/prices.ts';
import { toUsd } from '../../agents/money.ts';
import type { App } from '../http/app.ts';
import { TOOLS } from '../mcp/tools.ts';
import { problems } from '../schemas.ts';
import type { PaidRegistry } from '../x402/payment-plugin.ts';

interface LlmsDeps {
  readonly baseUrl: string;
  readonly prices: Prices;
  readonly registry: PaidRegistry;
}

interface Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** What opens a payment and asks nobody's signature, for the payment is the act: what each costs. */
const BOUGHT: Readonly<Record<string, { readonly prices: readonly PriceId[]; readonly how: string }>> = {
  'agent-checkout': { prices: ['agent', 'executor'], how: 'by card, or with `pay: "usdc"` over x402' },
  'membership-checkout': { prices: ['membership-individual', 'membership-institutional'], how: 'by card' },
  'listing-checkout': { prices: ['listing-standard', 'listing-featured'], how: 'by card' },
};

interface Line {
  /** `GET /path` */
  readonly route: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly security: string | null;
}

/**
 * `GET /llms.txt` (llmstxt.org): what the service is and every route, for a language model that reads one page. It is
 * made from the interface description and the registry of paid routes, as the manifest and the tools are, so that they
 * cannot say different things.
 */
export function llmsRoutes(app: App, deps: LlmsDeps): void {
  let text: string | undefined;
  app.get(
    '/llms.txt',
    {
      schema: {
        operationId: 'llms',
        summary: 'This service on one page, for language models (llmstxt.org)',
        tags: ['service'],
        response: {
          200: { description: 'Markdown', content: { 'text/plain': { schema: Type.String() } } },
          ...problems(),
        },
      },
    },
    async (_request, reply) => {
      text ??= llmsText(app.swagger(), deps);
      return reply.type('text/plain; charset=utf-8').send(text);
    },
  );
}

function llmsText(description: unknown, { baseUrl, prices, registry }: LlmsDeps): string {
  const lines = linesOf(description);
  const link = ({ route, path, summary }: Line): string =>
    path.includes('{') ? `- \`${route}\`: ${summary}` : `- [${route}](${baseUrl}${path}): ${summary}`;
  const paid = registry.map(({ method, path, operationId, offer }) => {
    const cost = `from ${toUsd(offer.price)} USD`;
    return `- [${method} ${path}](${baseUrl}${path}): ${offer.description} (${operationId}, ${cost})`;
  });
  const bought = lines.flatMap((line) => {
    const sold = BOUGHT[line.operationId];
    if (sold === undefined) return [];
    const costs = sold.prices.map((id) => `${priceName(id)}: ${toUsd(chargeFor(prices, id))} USD`);
    return [`${link(line)} (${costs.join('; ')}; ${sold.how})`];
  });
  const section = (heading: string, entries: readonly string[]): string =>
    `## ${heading}\n\n${entries.join('\n')}\n`;
  const of = (security: string | null) =>
    lines.filter((l) => l.security === security && !Object.hasOwn(BOUGHT, l.operationId)).map(link);
  return [
    '# Safe Handshake\n',
    '> Before value moves between strangers and software agents: is the counterparty, is the deal CLEAN or FLAGGED? Each answer comes with its checks, their sources and limits, and a signed record. What could not be checked is INCONCLUSIVE, and that is never CLEAN. Deals settle on test networks.\n',
    'Bodies are JSON, errors are RFC 9457 problems. A paid route answers 402 with its terms (x402 version 2): sign one of `accepts` and ask again with `PAYMENT-SIGNATURE`. An owner-signed route answers 401 with `sign`: sign `sign.message` (EIP-191) and send the same again with `Authorization: EIP191 nonce="…", signature="0x…"`.\n',
    section('Paid', paid),
    section('Paid by card, or in USDC', bought),
    section(
      'Tools (MCP)',
      TOOLS.map(({ name, kind, title }) => `- \`${name}\` (${kind}): ${title}, by POST ${baseUrl}/mcp`),
    ),
    section('Free', of(null)),
    section('Owner-signed', of('ownerSignature')),
    section('For operators', of('operatorKey')),
  ].join('\n');
}

function linesOf(description: unknown): Line[] {
  const { paths = {} } = description as { paths?: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', summary = '', security = [] }]) => ({
      route: `${method.toUpperCase()} ${path}`,
      path,
      operationId,
      summary,
      security: security.flatMap((one) => Object.keys(one))[0] ?? null,
    })),
  );
}

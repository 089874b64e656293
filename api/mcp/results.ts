import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from './tools.ts';
import type { WireAnswer } from './wire.ts';

type JsonObject = Record<string, unknown>;

/** Where a payment and its receipt travel (x402, specs/transports-v2/mcp.md). */
export const PAYMENT = 'x402/payment';
const PAYMENT_RESPONSE = 'x402/payment-response';

/**
 * The result of a tool call, from the answer of the service: its body as structured content and as text, and the
 * receipt of a payment in `_meta`. A 402 becomes what x402 asks of an MCP server; any other refusal has the problem
 * body, in which `code` and `detail` say what to do, and `sign` what a wallet must sign.
 */
export function resultOf(tool: Tool, answer: WireAnswer): CallToolResult {
  const body = bodyOf(answer.body);
  const receipt = decoded(answer.headers['payment-response']);
  if (answer.status === 402) return paymentRequired(body, receipt);
  if (answer.status >= 400) return { ...told(refused(answer, body)), isError: true };
  const { gives } = tool;
  const given = gives === undefined ? body : Object.fromEntries(gives.map((name) => [name, body[name]]));
  return { ...told(given), ...(receipt === null ? {} : { _meta: { [PAYMENT_RESPONSE]: receipt } }) };
}

/** A refusal that never reached the service. */
export function refusedCall(detail: string): CallToolResult {
  return { ...told({ code: 'bad-request', status: 400, detail }), isError: true };
}

const told = (content: JsonObject): Pick<CallToolResult, 'content' | 'structuredContent'> => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
});

function paymentRequired(body: JsonObject, receipt: JsonObject | null): CallToolResult {
  const { x402Version, error, resource, accepts, extensions: all } = body;
  // How to call is told by the tool's own schema: the extension would say it again, in ten thousand characters.
  const { bazaar: _, ...extensions } = (all ?? {}) as JsonObject;
  const why = String(error).replaceAll('PAYMENT-SIGNATURE', `_meta["${PAYMENT}"]`);
  const terms = { x402Version, error: why, resource, accepts, extensions };
  const data = receipt === null ? terms : { ...terms, [PAYMENT_RESPONSE]: receipt };
  const message = String(body.title ?? 'Payment is required');
  return {
    content: [{ type: 'text', text: JSON.stringify({ 'x402/error': { code: 402, message, data } }) }],
    structuredContent: data,
    isError: true,
  };
}

function refused({ status, headers }: WireAnswer, body: JsonObject): JsonObject {
  const wait = Number(headers['retry-after']);
  return { status, ...body, ...(wait > 0 ? { retryAfterSeconds: wait } : {}) };
}

/** A body that is no object is told as `answer`, since structured content must be one. */
function bodyOf(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as JsonObject)
      : { answer: body };
  } catch {
    return { answer: text };
  }
}

function decoded(header: string | undefined): JsonObject | null {
  return header === undefined ? null : (JSON.parse(Buffer.from(header, 'base64').toString()) as JsonObject);
}

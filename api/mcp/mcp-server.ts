import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as OfferedTool,
} from '@modelcontextprotocol/sdk/types.js';
import { ArgumentsRefused, inputSchemaOf, requestOf } from './arguments.ts';
import type { Operation } from './operations.ts';
import { PAYMENT, refusedCall, resultOf } from './results.ts';
import { TOOLS, type Tool } from './tools.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

export interface McpServerDeps {
  readonly version: string;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly wire: Wire;
  /** Answers a 401 or a 402 for whom the caller acts for; null where it cannot, text where it must not. Only over stdio. */
  readonly sign?: (request: WireRequest, answer: WireAnswer) => Promise<WireRequest | string | null>;
}

const INSTRUCTIONS =
  'Before you pay, buy from, sell to or sign for a counterparty, check it: CLEAN or FLAGGED, with evidence. FLAGGED: do not ' +
  'go on unless the person you act for decided so. What could not be checked is not CLEAN. Paid tools answer their ' +
  'terms first (x402). Acts of an agent need the signature of its owner.';

/**
 * An MCP server with the tools of the service. It keeps nothing between calls, so that one may be made for each
 * request.
 */
export function mcpServer(deps: McpServerDeps): Server {
  const server = new Server(
    { name: 'safe-handshake', title: 'Safe Handshake', version: deps.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offeredTools(deps.operations) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(deps, params.name, params.arguments ?? {}, params._meta?.[PAYMENT]),
  );
  return server;
}

/** The tools as they are listed, with the schemas of the interface description. */
export function offeredTools(operations: ReadonlyMap<string, Operation>): OfferedTool[] {
  return TOOLS.flatMap((tool) => {
    const operation = operations.get(tool.operation);
    if (operation === undefined) return [];
    const { name, title, description, kind, reads } = tool;
    return [
      {
        ...{ name, title, description },
        inputSchema: inputSchemaOf(tool, operation) as OfferedTool['inputSchema'],
        annotations: {
          title,
          readOnlyHint: reads && kind !== 'paid',
          destructiveHint: !reads,
          idempotentHint: reads,
          openWorldHint: kind === 'paid',
        },
      },
    ];
  });
}

async function callTool(
  deps: McpServerDeps,
  name: string,
  given: Readonly<Record<string, unknown>>,
  payment: unknown,
): Promise<CallToolResult> {
  const tool = TOOLS.find((t) => t.name === name);
  if (tool === undefined || !deps.operations.has(tool.operation))
    throw new McpError(ErrorCode.InvalidParams, `There is no tool "${name.slice(0, 64)}".`);
  try {
    const request = withPayment(requestOf(tool, operationOf(deps, tool, given), given), tool, payment);
    const answer = await deps.wire(request);
    const signed = (await deps.sign?.(request, answer)) ?? null;
    if (typeof signed === 'string') return refusedCall(signed);
    return resultOf(tool, signed === null ? answer : await deps.wire(signed));
  } catch (error) {
    if (error instanceof ArgumentsRefused) return refusedCall(error.message);
    throw error;
  }
}

function operationOf(
  { operations }: McpServerDeps,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Operation {
  const operation = operations.get(tool.choose?.(given) ?? tool.operation);
  if (operation === undefined) {
    const names = Object.keys(tool.own ?? {}).join(' and ');
    throw new ArgumentsRefused(`${names}: give them as the tool's schema lists them`);
  }
  return operation;
}

function withPayment(request: WireRequest, tool: Tool, payment: unknown): WireRequest {
  if (payment === undefined || tool.kind !== 'paid') return request;
  const header = Buffer.from(JSON.stringify(payment)).toString('base64');
  return { ...request, headers: { ...request.headers, 'payment-signature': header } };
}

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import type { App, Reply, Request } from '../http/app.ts';
import { clientKey } from '../http/client-address.ts';
import { subrequest } from '../http/subrequests.ts';
import { problems } from '../schemas.ts';
import { mcpServer } from './mcp-server.ts';
import { type Operation, operationsOf } from './operations.ts';
import { isTrustedOrigin } from './origin.ts';
import type { Wire } from './wire.ts';

export interface McpDeps {
  readonly baseUrl: string;
  readonly version: string;
  /** How many messages a minute an address may send. What a tool then calls counts with the limits of its own route. */
  readonly callsPerMinute: number;
}

const Message = Type.Object({}, { additionalProperties: true });

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP. It is stateless and answers with JSON: there are no
 * sessions, so that any process of the service answers any message, and no stream, so `GET` and `DELETE` are 405 as
 * the protocol asks of such a server.
 */
export function mcpRoutes(app: App, deps: McpDeps): void {
  let operations: ReadonlyMap<string, Operation> | undefined;
  app.post(
    '/mcp',
    {
      config: { rateLimit: { max: deps.callsPerMinute }, idempotency: false },
      schema: {
        operationId: 'mcp',
        summary: 'The tools of this service for agents (Model Context Protocol, streamable HTTP)',
        description:
          'Stateless, answers with JSON. Paid tools take x402 payments in `_meta["x402/payment"]`. A page of another ' +
          'origin is answered 403.',
        tags: ['service'],
        body: Message,
        response: { 200: Message, ...problems('bad-request') },
      },
    },
    async (request, reply) => {
      if (!isTrustedOrigin(request.headers, deps.baseUrl))
        return refuse(reply, 403, 'The origin is not allowed.');
      operations ??= operationsOf(app.swagger());
      const server = mcpServer({ version: deps.version, operations, wire: injectedWire(app, request) });
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        return await relay(
          reply,
          await transport.handleRequest(webRequest(request, deps), { parsedBody: request.body }),
        );
      } finally {
        await server.close();
      }
    },
  );
  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      config: { rateLimit: { max: deps.callsPerMinute } },
      schema: { hide: true },
      handler: async (_request, reply) =>
        refuse(reply.header('allow', 'POST'), 405, 'This server is stateless: it takes POST alone.'),
    });
  }
}

/** Calls the routes of this very server, as the caller: what its address may do is counted for it. */
function injectedWire(app: App, request: Request): Wire {
  const remoteAddress = clientKey(request).split('/', 1)[0] as string;
  return async ({ method, path, headers, body }) => {
    const options = {
      ...{ method, url: path, remoteAddress },
      headers: { ...headers, 'x-request-id': request.id },
      ...(body === null ? {} : { payload: body }),
    };
    const answer = await subrequest(app, request, options, true);
    const said = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: answer.statusCode, headers: Object.fromEntries(said), body: answer.body };
  };
}

function webRequest(request: Request, { baseUrl }: McpDeps): globalThis.Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(', '));
  }
  return new Request(`${baseUrl}/mcp`, { method: 'POST', headers });
}

/** @throws AppError for what is no message of the protocol, as for any request that cannot be read */
async function relay(reply: Reply, answer: Response): Promise<Reply> {
  const text = await answer.text();
  if (answer.status >= 400) {
    const { error } = JSON.parse(text) as { readonly error: { readonly message: string } };
    throw new AppError('bad-request', error.message);
  }
  answer.headers.forEach((value, name) => void reply.header(name, value));
  return reply.code(answer.status).header('cache-control', 'no-store').serializer(String).send(text);
}

/** The protocol's errors are JSON-RPC, not problem bodies. */
function refuse(reply: Reply, status: number, message: string): Reply {
  const error = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  return reply.code(status).type('application/json').serializer(String).send(JSON.stringify(error));
}

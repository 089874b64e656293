import { notOfSite } from '../agents/owner-message.ts';
import type { Account } from './account.ts';
import { HandshakeError } from './errors.ts';
import type { Challenge } from './guard/challenge.ts';
import type { SignRequest } from './operations.ts';
import { type Payer, payer, type SpendLimits } from './payment.ts';
import { type TransportOptions, transport } from './transport.ts';

export interface McpOptions extends SpendLimits, TransportOptions {
  /** Pays for tools, and signs owners' acts where `approve` says so. */
  readonly account?: Account;
  /**
   * Asked before an owner's act is signed; nothing is signed when left out. The text is from the service and for this wallet;
   * which of its acts it is for, a tool does not tell, and the text does.
   */
  readonly approve?: (says: string, message: string) => boolean | Promise<boolean>;
}

/** A message of JSON-RPC 2.0, as the Model Context Protocol has it. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a tool answered. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content?: readonly unknown[];
}

/** The tools of a service, for a program or an agent's loop. */
export interface McpTools {
  /** Names, descriptions and JSON schemas, as a model is given them. */
  list(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Calls a tool, and pays or signs once where it asks for that and the account may. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Sends one message as it is, but for what is paid and signed on its way; null where no answer is due. */
  send(message: Message): Promise<Message | null>;
}

const PAYMENT = 'x402/payment';

/**
 * Speaks MCP to a service (streamable HTTP, stateless). Opens nothing: the first message does.
 * @param url the service's, without `/mcp`
 */
export function mcpTools(url: string, options: McpOptions = {}): McpTools {
  const ask = transport(options);
  const endpoint = new URL('/mcp', url);
  const { account } = options;
  const paying = account === undefined ? null : payer(account, options);
  let ids = 0;

  async function post(message: Message): Promise<Message | null> {
    const { status, body } = await ask({
      method: 'POST',
      url: endpoint,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    });
    if (status === 202) return null;
    const answer = body as Message | null;
    if (answer?.jsonrpc !== '2.0')
      throw new HandshakeError('unexpected-answer', `${endpoint} answered ${status}, and no MCP.`, {
        status,
      });
    return answer;
  }

  async function send(message: Message): Promise<Message | null> {
    const answer = await post(message);
    if (message.method !== 'tools/call' || answer?.result?.isError !== true) return answer;
    const again = await prepared(message, answer.result.structuredContent, { paying, options, endpoint });
    return again === null ? answer : await post(again);
  }

  async function result(
    method: string,
    params: Message['params'],
  ): Promise<Readonly<Record<string, unknown>>> {
    ids += 1;
    const answer = await send({ jsonrpc: '2.0', id: ids, method, params });
    if (answer?.result === undefined)
      throw new HandshakeError('unexpected-answer', answer?.error?.message ?? 'It answered nothing.');
    return answer.result;
  }

  return {
    send,
    async list() {
      const { tools } = await result('tools/list', {});
      return Array.isArray(tools) ? tools : [];
    },
    call: async (name, args = {}) => await result('tools/call', { name, arguments: args }),
  };
}

interface Means {
  readonly paying: Payer | null;
  readonly options: McpOptions;
  readonly endpoint: URL;
}

/**
 * The call again, with the payment or the signature that its answer asks for; null where neither may be given.
 * @throws HandshakeError message-refused for a text of another site, or for another wallet: nobody is asked to approve it
 */
async function prepared(
  message: Message,
  asked: unknown,
  { paying, options, endpoint }: Means,
): Promise<Message | null> {
  const { accepts, sign } = (asked ?? {}) as { accepts?: unknown; sign?: SignRequest };
  const { params } = message;
  const meta = (params?._meta ?? {}) as Readonly<Record<string, unknown>>;
  if (Array.isArray(accepts) && paying !== null && meta[PAYMENT] === undefined) {
    const key = crypto.randomUUID().replaceAll('-', '');
    const payment = await paying.payload(asked as Challenge, key);
    return { ...message, params: { ...params, _meta: { ...meta, [PAYMENT]: payment } } };
  }
  const { account, approve } = options;
  if (typeof sign?.message !== 'string' || !account?.signMessage || approve === undefined) return null;
  const wrong = notOfSite(sign.message, { url: endpoint, address: account.address });
  if (wrong !== null) throw new HandshakeError('message-refused', `The text was not signed: ${wrong}.`);
  if (!(await approve(sign.says, sign.message))) return null;
  const signature = await account.signMessage({ message: sign.message });
  const args = { ...(params?.arguments as object), ownerSignature: { nonce: sign.nonce, signature } };
  return { ...message, params: { ...params, arguments: args } };
}

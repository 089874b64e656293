import { canonicalJson } from '../agents/canonical.ts';
import { isServiceCode } from '../agents/errors.ts';
import { heldPayments, offeredSeconds, type PaymentAnswer, payableSeconds } from '../agents/held-payments.ts';
import { notOfSite } from '../agents/owner-message.ts';
import type { Account } from './account.ts';
import { HandshakeError, wrongField } from './errors.ts';
import type { Challenge } from './guard/challenge.ts';
import type { SignRequest } from './operations.ts';
import { type Payer, payer, type SpendLimits } from './payment.ts';
import { foreign, jsonText, raise, signatureWithin, type TransportOptions, transport } from './transport.ts';

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
/** JSON-RPC's own code, such as for a tool that is none. */
const INVALID_PARAMS = -32_602;

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
    const answered = await ask({
      method: 'POST',
      url: endpoint,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
      pays: paymentOf(message) !== null,
    });
    const { status } = answered;
    if (status === 202) return null;
    const body = answered.body as (Message & { readonly code?: unknown }) | null;
    if (body?.jsonrpc === '2.0') return body;
    if (status >= 400 && isServiceCode(body?.code)) raise(answered);
    throw foreign(status, `${endpoint} answered ${status}, and no MCP.`);
  }

  // From before it is signed: calls of the same at the same time share it.
  const held = heldPayments<Promise<object>>();

  function signed(payer: Payer, call: string, challenge: Challenge): Promise<object> {
    const open = held.of(call, Date.now());
    if (open !== null) return open;
    const payment = payer.payload(challenge, crypto.randomUUID().replaceAll('-', ''));
    const hold = (until: number): void => held.hold(call, payment, until);
    hold(Date.now() + offeredSeconds(challenge) * 1000);
    payment.then(
      (made) => {
        // One that came too late takes nobody's place.
        if (held.of(call, Date.now()) === payment) hold(Date.now() + payableSeconds(made) * 1000);
      },
      () => held.letGo(call, payment),
    );
    return payment;
  }

  /** Sends a payment whose answer was lost with the next call of the same, in place of none. */
  async function postPaid(message: Message): Promise<Message | null> {
    const call = callOf(message);
    const now = Date.now();
    let holding = paying === null ? null : held.of(call, now);
    const open = holding && (await signatureWithin(holding, options));
    const payment = paymentOf(message) ?? open;
    if (payment === null) return await post(message);
    if (holding === null || payment !== open) {
      holding = Promise.resolve(payment);
      held.hold(call, holding, now + payableSeconds(payment) * 1000);
    }
    const answer = await post(withPayment(message, payment));
    if (answer?.result !== undefined) held.answered(call, holding, toldBy(answer.result));
    return answer;
  }

  async function send(message: Message): Promise<Message | null> {
    if (message.method !== 'tools/call') return await post(message);
    const answer = await postPaid(message);
    if (answer?.result?.isError !== true) return answer;
    const pay =
      paying &&
      ((challenge: Challenge) => signatureWithin(signed(paying, callOf(message), challenge), options));
    const again = await prepared(message, answer.result.structuredContent, { pay, options, endpoint });
    return again === null ? answer : await postPaid(again);
  }

  async function result(
    method: string,
    params: Message['params'],
  ): Promise<Readonly<Record<string, unknown>>> {
    ids += 1;
    const answer = await send({ jsonrpc: '2.0', id: ids, method, params });
    if (answer?.error?.code === INVALID_PARAMS) throw wrongField('params', answer.error.message);
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

/** Of what JSON sends, in which a date is text; the service takes its members in whatever order. */
function callOf({ params }: Message): string {
  return canonicalJson(JSON.parse(jsonText('arguments', [params?.name, params?.arguments])));
}

function paymentOf({ params }: Message): object | null {
  return ((params?._meta ?? {}) as { readonly [PAYMENT]?: object })[PAYMENT] ?? null;
}

function withPayment(message: Message, payment: object): Message {
  const { params } = message;
  return { ...message, params: { ...params, _meta: { ...(params?._meta as object), [PAYMENT]: payment } } };
}

/** What a tool answered, as the service would over HTTP: its refusals name the status, but for the one that asks to pay. */
function toldBy({ isError, structuredContent: body = {} }: ToolResult): PaymentAnswer {
  if (isError !== true) return { status: 200, body };
  return { status: typeof body.status === 'number' ? body.status : 402, body };
}

interface Means {
  readonly pay: ((challenge: Challenge) => Promise<object>) | null;
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
  { pay, options, endpoint }: Means,
): Promise<Message | null> {
  const { accepts, sign } = (asked ?? {}) as { accepts?: unknown; sign?: SignRequest };
  if (Array.isArray(accepts) && pay !== null && paymentOf(message) === null)
    return withPayment(message, await pay(asked as Challenge));
  const { account, approve } = options;
  if (typeof sign?.message !== 'string' || !account?.signMessage || approve === undefined) return null;
  const wrong = notOfSite(sign.message, { url: endpoint, address: account.address });
  if (wrong !== null) throw new HandshakeError('message-refused', `The text was not signed: ${wrong}.`);
  if (!(await approve(sign.says, sign.message))) return null;
  const signature = await account.signMessage({ message: sign.message });
  const { params } = message;
  const args = { ...(params?.arguments as object), ownerSignature: { nonce: sign.nonce, signature } };
  return { ...message, params: { ...params, arguments: args } };
}

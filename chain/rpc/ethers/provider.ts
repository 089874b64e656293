import {
  FetchRequest,
  type FetchResponse,
  type GetUrlResponse,
  isError,
  type JsonRpcError,
  type JsonRpcPayload,
  JsonRpcProvider,
  type JsonRpcResult,
  Network,
} from 'ethers';
import { AnswerTooLarge } from '../bounded-answers.ts';
import { RpcRefusal } from '../json-rpc.ts';
import { hashByCompiledCode } from '../keccak.ts';
import { ReaderError } from '../reader.ts';
import { exchange } from './exchange.ts';

/** Nodes take a thousand and more at once; gateways sometimes fewer. */
const AT_ONCE = 50;
/** What a node says that takes no batches. */
const NO_BATCHES: ReadonlySet<number> = new Set([400, 405, 413, 415, 422, 501]);
/** What the answer to one question may have: logs of thousands of blocks are many, everything else is of a known size. */
const MOST_BYTES: Readonly<Record<string, number>> = { eth_getLogs: 33_554_432, eth_call: 1_048_576 };
const MOST_BYTES_ELSE = 4_194_304;
const MOST_BYTES_OF_A_BATCH = 33_554_432;

/** Ethers' type leaves out that an answer may hold an error in place of a result. */
type Answers = JsonRpcResult[];

interface Waiting {
  readonly payload: JsonRpcPayload;
  /** What it asks, and how much it may be answered, without its id. */
  readonly about: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Ethers' own provider over its own requests. It differs in six things: Node decodes the text, it reads no more of an
 * answer than may come, questions of one turn of the event loop go in one batch without a timer, those that ask the same
 * are sent once, it asks one by one where a node takes no batches or one answer made a batch too large, and what a node
 * refuses stays in the node's words, because ethers guesses a contract's failure from them.
 */
export class BoundedProvider extends JsonRpcProvider {
  #oneByOne = false;
  #lastId = 0;
  #waiting: Waiting[] = [];
  readonly #mostBytes = new WeakMap<JsonRpcPayload, number>();

  constructor(rpcUrl: string, chainId: number, timeoutMs: number) {
    const network = Network.from(chainId);
    // A static network: otherwise ethers asks a dead node for its chain once a second, for ever. No cache: an answer must
    // be of the block it names.
    super(requestTo(rpcUrl, timeoutMs), network, {
      staticNetwork: network,
      cacheTimeout: -1,
    });
    hashByCompiledCode();
  }

  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<Answers> {
    if (!Array.isArray(payload)) return usable(await this.#post(payload));
    if (!this.#oneByOne) {
      try {
        const answers = await this.#post(payload);
        const [only] = answers;
        // One error in place of many answers.
        const refused = answers.length === 1 && isObject(only) && 'error' in only && only.id == null;
        // A node, too, ends a batch that one answer made too large.
        if (!refused && !answers.some(saysTooLarge)) return usable(answers);
        this.#oneByOne = refused;
      } catch (error) {
        if (isError(error, 'SERVER_ERROR') && NO_BATCHES.has(error.response?.statusCode ?? 0))
          this.#oneByOne = true;
        else if (!(error instanceof AnswerTooLarge)) throw error;
      }
    }
    return (await Promise.all(payload.map((one) => this.#alone(one)))).flat();
  }

  /** As ethers' own, which decodes the text of an answer in JavaScript, byte by byte. */
  async #post(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<Answers> {
    const request = this._getConnection();
    // As bytes: ethers would encode text in JavaScript, too.
    request.body = Buffer.from(JSON.stringify(payload));
    const most = [payload]
      .flat()
      .reduce((sum, one) => sum + (this.#mostBytes.get(one) ?? MOST_BYTES_ELSE), 0);
    request.getUrlFunc = (asked) => bounded(asked, Math.min(MOST_BYTES_OF_A_BATCH, most));
    request.setHeader('content-type', 'application/json');
    const response = await request.send();
    response.assertOk();
    const told = jsonOf(response);
    return (Array.isArray(told) ? told : [told]) as Answers;
  }

  /** What fails is this question's failure alone. */
  async #alone(payload: JsonRpcPayload): Promise<Answers> {
    try {
      return usable(await this.#post(payload));
    } catch (cause) {
      return [{ id: payload.id, result: new Thrown(cause) }];
    }
  }

  /** In place of ethers' own, which waits for a timer, and writes a batch out again for each question that it adds. */
  override async send(
    method: string,
    params: unknown[] | Record<string, unknown>,
    mostBytes = MOST_BYTES[method] ?? MOST_BYTES_ELSE,
  ): Promise<unknown> {
    const payload: JsonRpcPayload = { id: ++this.#lastId, jsonrpc: '2.0', method, params };
    this.#mostBytes.set(payload, mostBytes);
    const found = await new Promise<unknown>((resolve, reject) => {
      const about = `${method} ${mostBytes} ${JSON.stringify(params)}`;
      this.#waiting.push({ payload, about, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
    if (found instanceof Thrown) throw found.cause;
    return found;
  }

  #flush(): void {
    const asked = new Map<string, Waiting[]>();
    for (const one of this.#waiting) asked.set(one.about, [...(asked.get(one.about) ?? []), one]);
    this.#waiting = [];
    // What is asked twice before it is sent is sent once: neither may need anything newer than that.
    const groups = [...asked.values()];
    for (let i = 0; i < groups.length; i += AT_ONCE) void this.#sendBatch(groups.slice(i, i + AT_ONCE));
  }

  /** @param asked each question, with everybody who asks it */
  async #sendBatch(asked: readonly (readonly Waiting[])[]): Promise<void> {
    const payloads = asked.map(([first]) => first!.payload);
    try {
      const answers = await this._send(payloads.length === 1 ? payloads[0]! : payloads);
      const byId = new Map(answers.map((answer) => [answer.id, answer]));
      for (const alike of asked) {
        const answer = byId.get(alike[0]!.payload.id);
        for (const { payload, resolve, reject } of alike) {
          if (answer === undefined) reject(new ReaderError('down', 'the node left a question unanswered'));
          else if (isRefusal(answer)) reject(this.getRpcError(payload, answer));
          else resolve(answer.result);
        }
      }
    } catch (error) {
      for (const { reject } of asked.flat()) reject(error);
    }
  }

  override getRpcError(_payload: JsonRpcPayload, { error }: JsonRpcError): Error {
    if (!isObject(error)) return new ReaderError('down', 'the answer holds neither a result nor an error');
    const { code, message, data } = error;
    return new RpcRefusal(Number(code), String(message), data);
  }
}

/** @throws ethers' own error when it is not JSON in UTF-8 */
function jsonOf(response: FetchResponse): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(response.body ?? undefined));
  } catch {
    return response.bodyJson;
  }
}

/** In place of the result of a question that failed by itself. */
class Thrown {
  readonly cause: unknown;
  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** Ethers looks for an answer by its id, and takes one with neither a result nor an error for a result. */
function usable(answers: Answers): Answers {
  return answers.filter((answer) => isObject(answer) && ('error' in answer || answer.result !== undefined));
}

function isRefusal(answer: JsonRpcResult | JsonRpcError): answer is JsonRpcError {
  return 'error' in answer;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** As geth words it. */
function saysTooLarge(answer: JsonRpcResult): boolean {
  if (!isObject(answer) || !('error' in answer) || !isObject(answer.error)) return false;
  const { message } = answer.error as { readonly message?: unknown };
  return /^response too large/i.test(String(message));
}

function requestTo(rpcUrl: string, timeoutMs: number): FetchRequest {
  const { url, headers } = addressed(rpcUrl);
  const request = new FetchRequest(url);
  for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
  request.timeout = timeoutMs;
  // The reader has attempts of its own, and a node that is overrun may not say how long it is waited for.
  request.retryFunc = async () => false;
  return request;
}

/** Ethers' own exchange reads a body to whatever end it has. @throws AnswerTooLarge; ReaderError slow */
async function bounded(asked: FetchRequest, mostBytes: number): Promise<GetUrlResponse> {
  const signal = AbortSignal.timeout(asked.timeout);
  try {
    return await exchange(asked, asked.body ?? new Uint8Array(), { mostBytes, signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new ReaderError('slow', 'the node does not answer in time', { cause });
  }
}

/** A request takes no name and password in its URL. */
function addressed(rpcUrl: string): { url: string; headers: Record<string, string> } {
  const url = new URL(rpcUrl);
  if (url.username === '' && url.password === '') return { url: rpcUrl, headers: {} };
  const who = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  const authorization = `Basic ${Buffer.from(who).toString('base64')}`;
  return { url: url.href, headers: { authorization } };
}

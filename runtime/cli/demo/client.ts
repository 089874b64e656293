import { type Hex, type LocalAccount, type PublicClient, TransactionReceiptNotFoundError } from 'viem';

/** A client of the public API. It knows no more than `/openapi.json` says. */
export interface ServiceClient {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Posts, gets the challenge, signs its exact message with the wallet, and posts again. */
  signedPost(wallet: LocalAccount, path: string, body: unknown): Promise<Answer>;
  signedGet(wallet: LocalAccount, path: string): Promise<Answer>;
}

// biome-ignore lint/suspicious/noExplicitAny: a stranger reads JSON as it comes
type Body = any;

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export function serviceClient(baseUrl: string, fetcher: typeof fetch = fetch): ServiceClient {
  async function call(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetcher(`${baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: text,
    });
    const raw = await response.text();
    return { status: response.status, headers: response.headers, body: raw === '' ? null : JSON.parse(raw) };
  }

  async function signed(method: string, wallet: LocalAccount, path: string, body: unknown): Promise<Answer> {
    const challenge = await call(method, path, body, {});
    if (challenge.status !== 401) return challenge;
    const { message, nonce } = challenge.body.sign;
    const signature = await wallet.signMessage({ message });
    return call(method, path, body, { authorization: `EIP191 nonce="${nonce}", signature="${signature}"` });
  }

  return {
    get: (path) => call('GET', path, undefined, {}),
    post: (path, body, headers = {}) => call('POST', path, body, headers),
    signedPost: (wallet, path, body) => signed('POST', wallet, path, body),
    signedGet: (wallet, path) => signed('GET', wallet, path, undefined),
  };
}

/** Returns the body of an expected answer. @throws Error with the service's own words for any other */
export function expectStatus(answer: Answer, status: number, doing: string): Body {
  if (answer.status !== status) {
    throw new Error(
      `${doing}: expected ${status} and got ${answer.status} ${answer.body?.code ?? ''} ${answer.body?.detail ?? ''}`.trim(),
    );
  }
  return answer.body;
}

/** Repeats a request until its answer will do, up to a deadline, as a person would refresh a page. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null>,
  options: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + (options.timeoutMs ?? 120_000);
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 150));
  }
}

/**
 * Waits until a transaction is mined. It asks for the receipt again and again: a node may tell of a block before it has
 * the block's receipts, and where nothing else happens there is no next block to wait for.
 */
export async function mined(client: Pick<PublicClient, 'getTransactionReceipt'>, hash: Hex): Promise<void> {
  const receipt = () =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
  await until(`transaction ${hash} to be mined`, receipt, { everyMs: 20 });
}

/** One request of the service's own wire, as a tool call becomes it. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null where the operation takes no body. */
  readonly body: string | null;
}

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends a request to the service and gives its answer, whatever its status. Tools know the service by this alone, so
 * that a call over MCP meets the same validation, prices, payments, signatures and limits as any other.
 * @throws Error when the service cannot be reached
 */
export type Wire = (request: WireRequest) => Promise<WireAnswer>;

/**
 * A wire to a service in another process. A redirect is not followed: it could carry a payment or a signature to somebody
 * else. @param baseUrl without a trailing slash
 */
export function fetchedWire(baseUrl: string, fetcher: typeof fetch = fetch): Wire {
  return async ({ method, path, headers, body }) => {
    const sent = { method, headers: { ...headers }, body, redirect: 'error' } as const;
    const answer = await fetcher(`${baseUrl}${path}`, sent);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  };
}

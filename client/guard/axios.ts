import { tellingStream } from './body.ts';
import { askedAt, isSameHost, paymentIn, type Watch } from './watch.ts';

interface AxiosConfig {
  readonly url?: string;
  readonly method?: string;
  headers?: unknown;
  /** Of Node's adapter; a browser hides redirects. */
  beforeRedirect?: (options: { readonly href: string }) => void;
}

interface AxiosAnswer {
  readonly status: number;
  readonly headers: unknown;
  data: unknown;
  readonly config: AxiosConfig;
  /** Of Node's adapter: `res.responseUrl` is where the last redirect led. Of a browser's: `responseURL`. */
  readonly request?: unknown;
}

/** The part of an axios instance that a guard needs. */
export interface AxiosLike {
  // biome-ignore lint/suspicious/noExplicitAny: axios types its own configuration, of whichever release is installed
  getUri(config?: any): string;
  readonly interceptors: {
    // biome-ignore lint/suspicious/noExplicitAny: the same
    readonly request: { use(onAsk: (config: any) => any): number };
    readonly response: {
      // biome-ignore lint/suspicious/noExplicitAny: the same
      use(onAnswer: (answer: any) => any, onError: (error: any) => any): number;
    };
  };
}

/** Watches the requests of an axios instance. */
export function watchAxios<A extends AxiosLike>(instance: A, watch: Watch): A {
  watch.activate();
  instance.interceptors.request.use((config: AxiosConfig) => {
    if (paymentOf(config) === null) return config;
    const asked = askedAt(instance.getUri(config));
    // A payment goes to the host that it was judged for, and to nobody whom that host names.
    config.beforeRedirect = ({ href }) => {
      if (!isSameHost(asked, new URL(href)))
        throw new TypeError(`${asked} sends a payment elsewhere: not followed`);
    };
    return config;
  });
  /** @param response left out where the connection broke: a payment may have been taken before */
  const note = (config: AxiosConfig, response?: AxiosAnswer, isServed = false): void => {
    const payment = paymentOf(config);
    const header = response?.status === 402 ? headerOf(response.headers, 'payment-required') : null;
    if (payment === null && header === null) return;
    const asked = askedAt(instance.getUri(config));
    const answered = response === undefined ? asked : answeredBy(response, asked);
    const visit = { method: (config.method ?? 'get').toUpperCase(), asked, answered };
    if (payment !== null) watch.paidFor(visit, payment, isServed);
    if (header !== null) watch.see(header, response?.data, { ...visit, paidBy: payment });
  };
  instance.interceptors.response.use(
    (answer: AxiosAnswer) => {
      const isServed = answer.status < 400;
      note(answer.config, answer, isServed);
      if (isServed && paymentOf(answer.config) !== null)
        followStream(answer, () => note(answer.config, answer));
      return answer;
    },
    (error?: { readonly config?: AxiosConfig; readonly response?: AxiosAnswer }) => {
      // An answer that breaks off is an error too, and has the status of its headers.
      if (error?.config !== undefined) note(error.config, error.response);
      return Promise.reject(error);
    },
  );
  return instance;
}

/** With `responseType: 'stream'` axios hands over the answer before its body. */
function followStream(answer: AxiosAnswer, onBreak: () => void): void {
  const { data } = answer;
  if (data instanceof ReadableStream) answer.data = tellingStream(data, onBreak);
  const ofNode = data as Partial<NodeStream> | null | undefined;
  // A listener for `error` would keep from the program what it does not handle.
  if (typeof ofNode?.once === 'function') ofNode.once('close', () => ofNode.errored && onBreak());
}

interface NodeStream {
  readonly errored: Error | null;
  once(event: 'close', listener: () => void): unknown;
}

function paymentOf({ headers }: AxiosConfig): string | null {
  return paymentIn(Object.entries((headers ?? {}) as object));
}

function answeredBy({ request }: AxiosAnswer, asked: URL): URL {
  const { res, responseURL } = (request ?? {}) as {
    readonly res?: { readonly responseUrl?: string };
    readonly responseURL?: string;
  };
  const url = res?.responseUrl ?? responseURL;
  return url === undefined || url === '' ? asked : new URL(url, asked);
}

function headerOf(headers: unknown, name: string): string | null {
  const found = Object.entries((headers ?? {}) as Readonly<Record<string, unknown>>).find(
    ([key]) => key.toLowerCase() === name,
  );
  return typeof found?.[1] === 'string' ? found[1] : null;
}

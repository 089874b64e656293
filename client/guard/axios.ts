import { hasPayment, isSameHost, type Watch } from './watch.ts';

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
  readonly data: unknown;
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
      use(onAnswer: null, onError: (error: any) => any): number;
    };
  };
}

/** Watches the requests of an axios instance. */
export function watchAxios<A extends AxiosLike>(instance: A, watch: Watch): A {
  watch.activate();
  instance.interceptors.request.use((config: AxiosConfig) => {
    if (!hasPayment(namesOf(config.headers))) return config;
    const asked = new URL(instance.getUri(config));
    // A payment goes to the host that it was judged for, and to nobody whom that host names.
    config.beforeRedirect = ({ href }) => {
      if (!isSameHost(asked, new URL(href)))
        throw new TypeError(`${asked} sends a payment elsewhere: not followed`);
    };
    return config;
  });
  instance.interceptors.response.use(null, (error: { response?: AxiosAnswer }) => {
    const { response } = error;
    const header = response && headerOf(response.headers, 'payment-required');
    if (response?.status === 402 && header) {
      const asked = new URL(instance.getUri(response.config));
      watch.see(header, response.data, {
        method: (response.config.method ?? 'get').toUpperCase(),
        asked,
        answered: answeredBy(response, asked),
        paid: hasPayment(namesOf(response.config.headers)),
      });
    }
    return Promise.reject(error);
  });
  return instance;
}

function answeredBy({ request }: AxiosAnswer, asked: URL): URL {
  const { res, responseURL } = (request ?? {}) as {
    readonly res?: { readonly responseUrl?: string };
    readonly responseURL?: string;
  };
  const url = res?.responseUrl ?? responseURL;
  return url === undefined || url === '' ? asked : new URL(url, asked);
}

function namesOf(headers: unknown): readonly string[] {
  return Object.keys((headers ?? {}) as object);
}

function headerOf(headers: unknown, name: string): string | null {
  const found = Object.entries((headers ?? {}) as Readonly<Record<string, unknown>>).find(
    ([key]) => key.toLowerCase() === name,
  );
  return typeof found?.[1] === 'string' ? found[1] : null;
}

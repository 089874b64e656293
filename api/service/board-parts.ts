import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  ControllerHandlerReturnType,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/dist/types.js';

interface Asked {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The parts of Bull Board that are served: its page, its files, and the routes that only read. */
export interface Board {
  readonly staticDir: string;
  readonly pages: readonly string[];
  page(prefix: string): string;
  readonly reads: readonly {
    readonly url: string;
    answer(asked: Asked): Promise<ControllerHandlerReturnType>;
  }[];
}

const FONTS = /<link[^>]*fonts\.googleapis\.com[^>]*>/g;

/** Collects what Bull Board hands to its server adapter. */
export class BoardParts implements IServerAdapter {
  #queues: BullBoardQueues = new Map();
  #views = '';
  #static = '';
  #entry: AppViewRoute | null = null;
  #failed: (error: Error) => ControllerHandlerReturnType = () => ({ status: 500, body: '' });
  #routes: readonly AppControllerRoute[] = [];
  #ui: UIConfig = {};

  setQueues(queues: BullBoardQueues): this {
    this.#queues = queues;
    return this;
  }
  setViewsPath(path: string): this {
    this.#views = path;
    return this;
  }
  setStaticPath(_route: string, path: string): this {
    this.#static = path;
    return this;
  }
  setEntryRoute(route: AppViewRoute): this {
    this.#entry = route;
    return this;
  }
  setErrorHandler(handler: (error: Error) => ControllerHandlerReturnType): this {
    this.#failed = handler;
    return this;
  }
  setApiRoutes(routes: AppControllerRoute[]): this {
    this.#routes = routes;
    return this;
  }
  setUIConfig(config: UIConfig): this {
    this.#ui = config;
    return this;
  }

  board(): Board {
    const entry = this.#entry;
    if (!entry) throw new Error('the board has no page');
    const template = readFileSync(join(this.#views, 'index.ejs'), 'utf8').replaceAll(FONTS, '');
    const reads = this.#routes
      .filter(({ method }) => [method].flat().every((m) => m === 'get'))
      .flatMap((route) => [route.route].flat().map((url) => ({ url, route })));
    return {
      staticDir: this.#static,
      pages: [entry.route].flat(),
      page: (prefix) => {
        const { params } = entry.handler({ basePath: prefix, uiConfig: this.#ui });
        return template.replaceAll(/<%([=-])\s*(\w+)\s*%>/g, (_, raw, name) => {
          const value = String((params as Record<string, unknown>)[name] ?? '');
          return raw === '-' ? value : escaped(value);
        });
      },
      reads: reads.map(({ url, route }) => ({
        url,
        answer: async ({ params, query, headers }) => {
          try {
            const asked = { queues: this.#queues, uiConfig: this.#ui, params, query, headers, body: {} };
            return await route.handler(asked as Parameters<typeof route.handler>[0]);
          } catch (error) {
            return this.#failed(error as Error);
          }
        },
      })),
    };
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

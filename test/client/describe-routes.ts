import { buildServer } from '../../api/server.ts';
import { serviceRoutes } from '../../api/service-routes.ts';
import { openDatabase } from '../../store/database.ts';

/** A JSON schema, or a part of one, by the names that the description uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly $ref?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: 'query' | 'path' | 'header';
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
      }
    >
  >;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** By the kind of the message. */
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const BASE_URL = 'http://handshake.test';

/** What routes are registered with and do not use before a request comes: each member is such a thing again. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for services of every type, and none of them is called
function unused(known: Readonly<Record<string, unknown>> = {}): any {
  return new Proxy(() => {}, {
    get: (_, name) => {
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return Object.hasOwn(known, name) ? known[name] : unused();
    },
    apply: () => unused(),
  });
}

/** The description of every route, made from their schemas without starting a part of the service. */
export async function describeRoutes(): Promise<Description> {
  return (await registered()).description;
}

/** The paths that people and browsers read and the description leaves out, with their places as it writes them. */
export async function hiddenPaths(): Promise<readonly string[]> {
  return (await registered()).hidden;
}

/** `/llms.txt`, with the prices of tests. */
export async function pageForModels(): Promise<string> {
  return (await registered()).page;
}

interface Registered {
  readonly description: Description;
  readonly hidden: readonly string[];
  readonly page: string;
}

async function registered(): Promise<Registered> {
  const hidden: string[] = [];
  const db = openDatabase('postgres://127.0.0.1:1/none');
  const prices = { setting: 'test', standardListing: null };
  const config = unused({ baseUrl: BASE_URL, rateLimitReads: 1, prices, pricing: 'test', eventStreams: {} });
  const clock = () => new Date(0);
  const app = await buildServer({
    baseUrl: BASE_URL,
    limits: { reads: 10, writes: 10 },
    newRequestId: () => 'req',
    idempotency: { db, clock },
    routes: [
      (app) => {
        app.addHook('onRoute', ({ method, url, schema }) => {
          if (schema?.hide && [method].flat().includes('GET'))
            hidden.push(url.replace(/:([A-Za-z]+)/g, '{$1}'));
        });
      },
      ...serviceRoutes({
        services: unused({ db, now: clock, config }),
        reads: db,
        requireOwner: unused(),
        health: unused(),
        payment: unused(),
        facilitator: unused(),
        metrics: unused(),
        readings: unused(),
        queues: [],
      }),
    ],
  });
  try {
    const description = (await app.inject('/openapi.json')).json();
    return { description, hidden, page: (await app.inject('/llms.txt')).body };
  } finally {
    await app.close();
    await db.destroy();
  }
}

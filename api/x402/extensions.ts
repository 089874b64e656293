import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier';
import { buildSIWxSchema } from '@x402/extensions/sign-in-with-x';
import { VERIFICATION_RECORD_VERSION } from '../records/verification-record.ts';
import type { SignInNonces } from './sign-in.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Shows a program that has never seen the route how to call it and what it answers, by examples. */
export interface Discovery {
  /** An example of the query (GET) or the body (POST), with every required field. */
  readonly input: JsonObject;
  /**
   * Fields that are required but optional in the schema, because the route answers their absence by an error code of
   * its own.
   */
  readonly required?: readonly string[];
  /** An example of a whole answer. */
  readonly output: JsonObject;
}

/** The `extensions` of a paid route that are the same in every challenge; what changes is added to each challenge. */
export function declareExtensions(route: {
  method: 'GET' | 'POST';
  discovery: Discovery;
  /** The JSON schemas of the query or body and of the answer, by which the route itself validates. */
  inputSchema: object;
  outputSchema: object;
  baseUrl: string;
  /** CAIP-2 chains whose wallets may sign in instead of paying; when empty, the route takes no sign-in. */
  signIn: readonly string[];
}): Record<string, unknown> {
  const { method, discovery, baseUrl, signIn } = route;
  const { input, required = [] } = discovery;
  const output = {
    example: discovery.output,
    schema: outline(plainSchema(route.outputSchema), OUTPUT_LEVELS),
  };
  const inputSchema = demanding(plainSchema(route.inputSchema), required);
  const declared = declareDiscoveryExtension(
    method === 'GET' ? { input, inputSchema, output } : { bodyType: 'json', input, inputSchema, output },
  );
  const bazaar = bazaarResourceServerExtension.enrichDeclaration?.(declared.bazaar, { method, adapter: {} });
  return {
    // The SDK nests the answer's schema deep in its own; here clients find it directly.
    bazaar: { ...(bazaar as object), outputSchema: output.schema },
    'verification-record': {
      info: {
        version: VERIFICATION_RECORD_VERSION,
        spec: `${baseUrl}/specs/verification-record/${VERIFICATION_RECORD_VERSION}`,
      },
      schema: {
        type: 'object',
        properties: { version: { type: 'string' }, spec: { type: 'string', format: 'uri' } },
        required: ['version', 'spec'],
      },
    },
    [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(),
    ...(signIn.length === 0
      ? {}
      : {
          [SIGN_IN]: {
            info: { version: '1', statement: STATEMENT },
            supportedChains: signIn.map((chainId) => ({ chainId, type: 'eip191' })),
            schema: buildSIWxSchema(),
          },
        }),
  };
}

/** The schema as JSON, without the names and keywords that only this server uses, and without its descriptions. */
function plainSchema(schema: object): JsonObject {
  const without = (key: string, value: unknown) =>
    key === '$id' || key.startsWith('x-') || (key === 'description' && typeof value === 'string')
      ? undefined
      : value;
  return JSON.parse(JSON.stringify(schema, without)) as JsonObject;
}

/** How deep a challenge tells an answer: its members, of whatever kind. The rest is in `/openapi.json`. */
const OUTPUT_LEVELS = 1;

/** The schema down to so many levels of objects; of those below it says only that they are objects. */
function outline(schema: JsonObject, levels: number): JsonObject {
  const { properties, items, anyOf, ...rest } = schema as {
    properties?: Record<string, JsonObject>;
    items?: JsonObject;
    anyOf?: JsonObject[];
  };
  if (properties !== undefined && levels === 0) return { type: 'object' };
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, outline(member, levels - 1)]),
          ),
        }),
    ...(items === undefined ? {} : { items: outline(items, levels) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => outline(one, levels)) }),
  };
}

function demanding(schema: JsonObject, required: readonly string[]): JsonObject {
  const before = (schema.required as readonly string[] | undefined) ?? [];
  const all = [...new Set([...before, ...required])];
  return all.length === 0 ? schema : { ...schema, required: all };
}

/**
 * An extension as the header of a challenge has it; the body has the whole. Proxies read the headers of an answer into
 * 4 kB, and clients send back what they find there with their payment. So this leaves out how an answer looks, what is
 * said twice, and of the schemas all but the names and kinds of what is asked.
 */
export function inHeader(name: string, extension: unknown): object {
  const { info, schema, supportedChains } = extension as Extension;
  const { output: _, resources: _said, ...asked } = info;
  if (name !== 'bazaar')
    return { info: asked, ...(supportedChains ? { supportedChains } : {}), schema: { type: 'object' } };
  const { properties = {} } = schema.properties!.input!;
  const members = Object.entries(properties).map(([key, member]) => [key, kindOf(member)] as const);
  return {
    info: asked,
    schema: { type: 'object', properties: { input: { properties: Object.fromEntries(members) } } },
  };
}

interface Extension {
  readonly info: JsonObject;
  readonly schema: Members;
  readonly supportedChains?: unknown;
}

interface Members extends JsonObject {
  readonly properties?: Record<string, Members>;
}

/** What a value is, and of an object which members it has and must have. */
function kindOf({ type, enum: values, const: only, required, properties }: Members): JsonObject {
  const members = Object.entries(properties ?? {}).map(
    ([key, { type: kind }]) => [key, { type: kind }] as const,
  );
  return JSON.parse(
    JSON.stringify({
      type: only === undefined && values === undefined ? type : undefined,
      ...{ const: only, enum: values, required },
      properties: properties && Object.fromEntries(members),
    }),
  ) as JsonObject;
}

/** The extension by which a member signs in instead of paying. */
export const SIGN_IN = 'sign-in-with-x';
const STATEMENT = 'Use a membership instead of paying, or be given again what was paid for.';
const SIGN_IN_SECONDS = 300;

/**
 * Makes what a member signs (CAIP-122): where, when and with which nonce, in addition to what the route declares. The
 * SDK's own extension is not used because it lets in whoever has paid once, while a membership has an end.
 * @returns the `info` of `sign-in-with-x` for the request at `url`
 */
export function signInChallenge(deps: {
  baseUrl: string;
  now: () => Date;
  signIn: Pick<SignInNonces, 'make'>;
}): (info: JsonObject, url: string) => JsonObject {
  const { host } = new URL(deps.baseUrl);
  const iso = (second: number): string => new Date(second * 1000).toISOString();
  let second = -1;
  let times = { issuedAt: '', expirationTime: '' };
  return (info, url) => {
    // Times are whole seconds, so they are formatted once a second.
    const present = Math.floor(deps.now().getTime() / 1000);
    if (present !== second) {
      second = present;
      times = { issuedAt: iso(second), expirationTime: iso(second + SIGN_IN_SECONDS) };
    }
    const { issuedAt, expirationTime } = times;
    const nonce = deps.signIn.make({ uri: url, issuedAt, expirationTime });
    return { ...info, domain: host, uri: url, nonce, issuedAt, expirationTime, resources: [url] };
  };
}

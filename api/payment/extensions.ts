import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier';
import { buildSIWxSchema } from '@x402/extensions/sign-in-with-x';
import { VERIFICATION_RECORD_VERSION } from '../pages/verification-record.ts';
import type { SignInNonces } from './sign-in.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** How a paid route is called and what it answers, for a program that has never seen it. */
export interface Discovery {
  /** An example of the query (GET) or of the body (POST). */
  readonly input: JsonObject;
  /** JSON schema of the same: `{ properties, required? }`. */
  readonly inputSchema: JsonObject;
  readonly output: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** The `extensions` of a paid route as they stand in every challenge; what changes with each is added then. */
export function declareExtensions(route: {
  method: 'GET' | 'POST';
  discovery: Discovery;
  baseUrl: string;
  /** CAIP-2 chains whose wallets may sign in instead of paying; none: the route takes no sign-in. */
  signIn: readonly string[];
}): Record<string, unknown> {
  const { method, discovery, baseUrl, signIn } = route;
  const output = { example: discovery.output, schema: discovery.outputSchema };
  const { input, inputSchema } = discovery;
  const declared = declareDiscoveryExtension(
    method === 'GET' ? { input, inputSchema, output } : { bodyType: 'json', input, inputSchema, output },
  );
  const bazaar = bazaarResourceServerExtension.enrichDeclaration?.(declared.bazaar, { method, adapter: {} });
  return {
    bazaar,
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

/** The extension by which a member signs in instead of paying. */
export const SIGN_IN = 'sign-in-with-x';
const STATEMENT = 'Use a membership instead of paying for this call.';
const SIGN_IN_SECONDS = 300;

/**
 * What a member signs (CAIP-122): where, when and with which nonce, beside what the route declares. The SDK's own
 * extension is not used: it grants whoever has paid once, and a membership is another thing.
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
    // Whole seconds, written down once in each.
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

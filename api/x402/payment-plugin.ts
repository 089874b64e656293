import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyRequest,
  FastifySchema,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify';
import type { Micro } from '../../agents/money.ts';
import type { Database } from '../../store/database.ts';
import { insertRecord, type SignedRecord } from '../../store/records/records.ts';
import type { App, Request } from '../http/app.ts';
import { type Discovery, declareExtensions } from './extensions.ts';
import { HOW_TO_PAY, type PaymentGate } from './gate.ts';
import type { AdmitMember } from './sign-in.ts';
import type { Offer } from './terms.ts';

/** The answer of a paid route, and the record that it names, which is filed when the answer is released. */
export interface PaidWork {
  readonly answer: object;
  readonly record?: SignedRecord | undefined;
  /**
   * The answer is filed nowhere. Once the payment stands on the chain, where others can copy it, sending it again is
   * not enough to get the answer again.
   */
  readonly private?: boolean;
}

type PaidRequest<Schema extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  Schema,
  TypeBoxTypeProvider
>;

/** Everything that defines a paid route. `/.well-known/x402` lists these. */
export interface PaidRoute<Schema extends FastifySchema, Gathered> {
  readonly method: 'GET' | 'POST';
  /** Without path parameters, so that each paid address has one entry in the manifest. */
  readonly path: string;
  readonly operationId: string;
  readonly description: string;
  /** As for any route; add `problems('bad-request', 'payment-required', 'payment-invalid', 'settlement-failed')`. */
  readonly schema: Schema;
  /** The price in the manifest; the challenge has the price that counts. */
  readonly listed: Micro;
  /**
   * The price of this call. It must depend on the request alone, because it is computed again when the payment comes;
   * and not on the body, because a probe without a body is told the price, too.
   */
  price(request: PaidRequest<Schema>): Micro;
  readonly discovery: Discovery;
  /** Chains whose wallets a member may sign in with; none when left out. */
  readonly signIn?: readonly string[];
  /**
   * Checks fields whose errors have a code of their own. Runs before the schema, on the query as it came.
   * @throws AppError
   */
  before?(query: Readonly<Record<string, unknown>>): void;
  /**
   * Checks what the schema cannot express. Runs before any 402, so that nobody pays for a bad request.
   * @throws AppError
   */
  check?(request: PaidRequest<Schema>): void | Promise<void>;
  /**
   * What whoever is asked to pay must know of the answer before he does: said with the 402, of a request that is not
   * wrong and will be charged.
   */
  notice?(request: PaidRequest<Schema>): Promise<string | null>;
  /**
   * Reads what the work rests on, and writes nothing. For a payer who settled a payment before, it runs while the
   * payment is verified; for every other payer it runs after that.
   * @param asker who pays, or the member who signed in; lower case. While the payment is being verified this is only a
   *   claim; what was read is used only when the payment verifies, and so proves it.
   */
  gather(request: PaidRequest<Schema>, asker: string): Promise<Gathered>;
  /** False where reading costs more than somebody should cause who may not pay in the end. True when left out. */
  ahead?(request: PaidRequest<Schema>): boolean;
  /** Does the work. When it throws, the caller gets the error and is not charged. */
  handler(gathered: Gathered, request: PaidRequest<Schema>): Promise<PaidWork>;
}

/** One entry of the manifest. */
export interface PaidResource {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operationId: string;
  readonly offer: Offer;
}

/** Every paid route of the service, in the order of registration. */
export type PaidRegistry = PaidResource[];

interface PaidDeps {
  readonly db: Database;
  readonly gate: PaymentGate;
  readonly baseUrl: string;
  readonly registry: PaidRegistry;
  /**
   * How many requests a minute an address may send to each paid route. Paying callers have this allowance of their own;
   * when left out, their requests count with the other reads and writes.
   */
  readonly callsPerMinute?: number;
  /** Admits members who sign in instead of paying; when left out, nobody is admitted. */
  readonly admit?: AdmitMember;
}

/**
 * Registers a paid route. The payment is taken inside the handler, after validation: so a bad request is a 400 before
 * any 402, and no request gets round the gate. A POST with neither body nor payment is not validated, because it asks
 * for the price.
 */
export function registerPaid<Schema extends FastifySchema, Gathered>(
  app: App,
  deps: PaidDeps,
  route: PaidRoute<Schema, Gathered>,
): void {
  const { method, path, operationId, description, signIn = [] } = route;
  const { querystring, body, response } = route.schema;
  const extensions = declareExtensions({
    method,
    discovery: route.discovery,
    inputSchema: (method === 'GET' ? querystring : body) as object,
    outputSchema: (response as Readonly<Record<number, object>>)[200]!,
    baseUrl: deps.baseUrl,
    signIn,
  });
  const offerAt = (price: Micro): Offer => ({ description, price, extensions });
  deps.registry.push({ method, path, operationId, offer: offerAt(route.listed) });

  const schema: FastifySchema = {
    summary: description,
    tags: ['determinations'],
    security: [{ x402: [] }],
    ...route.schema,
    operationId,
  };
  app.route({
    method,
    url: path,
    schema,
    ...(deps.callsPerMinute === undefined ? {} : { config: { rateLimit: { max: deps.callsPerMinute } } }),
    async preValidation(request, reply) {
      route.before?.(request.query as Record<string, unknown>);
      if (!isProbe(request as Request)) return;
      // A probe has no body to validate, but may have a query.
      const query = request.getValidationFunction('querystring')?.(request.query) as
        | { error?: Error }
        | undefined;
      if (query?.error) throw query.error;
      const price = route.price(request as PaidRequest<Schema>);
      throw await deps.gate.challenge(request as Request, reply, offerAt(price));
    },
    async handler(request, reply) {
      const asked = request as PaidRequest<Schema>;
      const check = async () => await route.check?.(asked);
      if (!paysFor(request as Request)) await check();
      const offer = offerAt(route.price(asked));
      const signedIn = request.headers['sign-in-with-x'];
      // Most requests without a payment only ask for the price, so nothing else is prepared for them.
      if (signedIn === undefined && !paysFor(request as Request)) {
        const notice = (await route.notice?.(asked)) ?? null;
        throw await deps.gate.challenge(request as Request, reply, offer, noticed(notice));
      }
      if (deps.admit && signIn.length > 0 && signedIn !== undefined && !paysFor(request as Request)) {
        const member = await deps.admit(request as Request, String(signedIn), signIn);
        if (typeof member === 'string') {
          throw await deps.gate.challenge(
            request as Request,
            reply,
            offer,
            `${member} Sign in anew, or pay.`,
          );
        }
        reply.header('cache-control', 'no-store');
        const { answer, record } = await route.handler(await route.gather(asked, member.wallet), asked);
        if (record) {
          await deps.db.transaction().execute(async (trx) => {
            await insertRecord(trx, record);
            request.lastCall();
          });
        }
        return reply.send(answer);
      }
      let gathering: Promise<Gathered> | null = null;
      let work: PaidWork | null = null;
      const doWork = async (_paymentId: string, payer: string) => {
        work = await route.handler(await (gathering ?? route.gather(asked, payer)), asked);
        return work.answer;
      };
      return deps.gate.charge(request as Request, reply, offer, doWork, {
        check,
        ahead(payer) {
          if (route.ahead?.(asked) === false) return;
          gathering = route.gather(asked, payer);
          // When the payment turns out bad, nobody awaits this promise, and its rejection must not go unhandled.
          gathering.catch(() => {});
        },
        record: () => work?.record ?? null,
        private: () => work?.private ?? false,
        signIn,
      });
    },
  });
}

/** What a 402 says: the notice after how to pay; how to pay alone where there is none. */
function noticed(notice: string | null): string {
  return notice === null ? HOW_TO_PAY : `${HOW_TO_PAY} ${notice}`;
}

function isProbe(request: Request): boolean {
  return request.method === 'POST' && request.rawBody.length === 0 && !paysFor(request);
}

function paysFor(request: Request): boolean {
  return request.headers['payment-signature'] !== undefined;
}

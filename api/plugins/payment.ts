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
import { insertRecord, type SignedRecord } from '../../store/records.ts';
import type { App, Request } from '../app.ts';
import { type Discovery, declareExtensions } from '../payment/extensions.ts';
import type { PaymentGate } from '../payment/gate.ts';
import type { AdmitMember } from '../payment/sign-in.ts';
import type { Offer } from '../payment/terms.ts';

/** What a paid route answers, and the record it tells of, which is filed together with the answer. */
export interface PaidWork {
  readonly answer: object;
  readonly record?: SignedRecord | undefined;
}

type PaidRequest<Schema extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  Schema,
  TypeBoxTypeProvider
>;

/** A route that is paid for, in one piece: `/.well-known/x402` is made from these. */
export interface PaidRoute<Schema extends FastifySchema, Gathered> {
  readonly method: 'GET' | 'POST';
  /** Without parameters: each paid address stands by itself. */
  readonly path: string;
  readonly operationId: string;
  readonly description: string;
  /** As for any route; add `problems('bad-request', 'payment-required', 'payment-invalid', 'settlement-failed')`. */
  readonly schema: Schema;
  /** What the manifest says a call costs; the challenge decides. */
  readonly listed: Micro;
  /**
   * What this call costs. Pure in the request, for it is computed again when the payment comes; and it must not need
   * the body, for a probe without a body is told the price too.
   */
  price(request: PaidRequest<Schema>): Micro;
  readonly discovery: Discovery;
  /** Chains whose wallets a member may sign in with; none when left out. */
  readonly signIn?: readonly string[];
  /** What has an error code of its own: runs before the schema, on fields as they came. @throws AppError */
  before?(query: Readonly<Record<string, unknown>>): void;
  /** What the schema cannot say of a good request. Runs before any 402. @throws AppError */
  check?(request: PaidRequest<Schema>): void | Promise<void>;
  /**
   * Reads what the work rests on, and writes nothing: it runs while the payment is being verified, if it may.
   * @param asker who pays, or the member who signed in; lower case. What is read ahead is read for whom the payment
   *   claims, and nobody gets it unless the payment verifies, which is when the claim is true.
   */
  gather(request: PaidRequest<Schema>, asker: string): Promise<Gathered>;
  /** False where reading costs more than anybody should cause who may turn out not to pay. True when left out. */
  ahead?(request: PaidRequest<Schema>): boolean;
  /** The work. What it throws is answered, and nothing is charged. */
  handler(gathered: Gathered, request: PaidRequest<Schema>): Promise<PaidWork>;
}

/** One line of the manifest to come. */
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
   * Requests a minute and address for each paid route. They count by themselves: a caller who pays is neither a reader
   * nor a writer. When left out, they count with the others.
   */
  readonly callsPerMinute?: number;
  /** Lets members in who sign instead of paying; nobody, when left out. */
  readonly admit?: AdmitMember;
}

/**
 * Registers a paid route. The payment is taken inside the handler, after validation, so that a bad request is 400
 * before any 402 and no request reaches the work around the gate. Only a POST without any body and payment is not
 * validated: it asks for the price.
 */
export function registerPaid<Schema extends FastifySchema, Gathered>(
  app: App,
  deps: PaidDeps,
  route: PaidRoute<Schema, Gathered>,
): void {
  const { method, path, operationId, description, signIn = [] } = route;
  const extensions = declareExtensions({
    method,
    discovery: route.discovery,
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
      const price = route.price(request as unknown as PaidRequest<Schema>);
      throw await deps.gate.challenge(request as Request, reply, offerAt(price));
    },
    async handler(request, reply) {
      const asked = request as unknown as PaidRequest<Schema>;
      await route.check?.(asked);
      const offer = offerAt(route.price(asked));
      const signedIn = request.headers['sign-in-with-x'];
      // Most who ask without a payment ask for the price: nothing else is made ready for them.
      if (signedIn === undefined && !paysFor(request as Request))
        throw await deps.gate.challenge(request as Request, reply, offer);
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
        reply.header('cache-control', 'private');
        const { answer, record } = await route.handler(await route.gather(asked, member.wallet), asked);
        if (record) await deps.db.transaction().execute((trx) => insertRecord(trx, record));
        return reply.send(answer);
      }
      let gathering: Promise<Gathered> | null = null;
      let work: PaidWork | null = null;
      const doWork = async (_paymentId: string, payer: string) => {
        work = await route.handler(await (gathering ?? route.gather(asked, payer)), asked);
        return work.answer;
      };
      return deps.gate.charge(request as Request, reply, offer, doWork, {
        ahead(payer) {
          if (route.ahead?.(asked) === false) return;
          gathering = route.gather(asked, payer);
          // A payment that turns out bad leaves it to nobody.
          gathering.catch(() => {});
        },
        record: () => work?.record ?? null,
      });
    },
  });
}

function isProbe(request: Request): boolean {
  return request.method === 'POST' && request.rawBody.length === 0 && !paysFor(request);
}

function paysFor(request: Request): boolean {
  return request.headers['payment-signature'] !== undefined;
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';

/** The server as every route module sees it: schemas type the handlers. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** A route module with its dependencies already bound: `(app) => orderRoutes(app, deps)`. */
export type RouteModule = (app: App) => void | Promise<void>;

export type Request = FastifyRequest;
export type Reply = FastifyReply;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body exactly as it came over the wire; empty when there was none. What signatures are made over. */
    rawBody: Buffer;
    /** The wallet whose signature authorised this request, lower case. */
    signedBy: string | null;
    /** What that wallet showed its owner, and the signature over it. */
    signedText: { readonly message: string; readonly signature: `0x${string}` } | null;
  }
  interface FastifyContextConfig {
    /** False on a route that has an idempotency rule of its own, such as a payment's id. */
    idempotency?: boolean;
  }
}

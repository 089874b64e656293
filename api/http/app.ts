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

/** The Fastify server as route modules see it; its type provider types their handlers from the schemas. */
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
    /** The bytes of the body exactly as they came; empty when there was none. Signatures are made over these. */
    rawBody: Buffer;
    /** The wallet whose signature authorised this request, lower case. */
    signedBy: string | null;
    /** The text that the wallet showed its owner, and the signature over it. */
    signedText: { readonly message: string; readonly signature: `0x${string}` } | null;
  }
  interface FastifyContextConfig {
    /** False on a route with an idempotency rule of its own, such as a payment's id. */
    idempotency?: boolean;
  }
}

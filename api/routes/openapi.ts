import { Type } from 'typebox';
import type { App } from '../app.ts';

/** Sent as text: it is made once and never goes through a serialiser. */
const AnyObject = Type.Unsafe<string>({ type: 'object', additionalProperties: true });

/** The interface description, made once when every route is known. */
export function openApiRoutes(app: App): void {
  let text: string | undefined;
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'openapi',
        summary: 'This interface description (OpenAPI 3.1)',
        tags: ['service'],
        response: {
          200: {
            description: 'OpenAPI 3.1',
            content: { 'application/json': { schema: AnyObject } },
          },
        },
      },
    },
    async (_request, reply) => {
      text ??= JSON.stringify(app.swagger());
      return reply.type('application/json; charset=utf-8').send(text);
    },
  );
}

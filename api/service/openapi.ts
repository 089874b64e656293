import { Type } from 'typebox';
import type { App } from '../http/app.ts';

/** The description is sent as prepared text and skips the serialiser. */
const AnyObject = Type.Unsafe<string>({ type: 'object', additionalProperties: true });

/** Serves the interface description, which is made once after every route is registered. */
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

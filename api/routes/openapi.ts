import type { App } from '../app.ts';

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
            content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
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

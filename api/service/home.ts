import { Type } from 'typebox';
import type { App } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { problems } from '../schemas.ts';
import { type HomeView, homePage } from './home-page.ts';

const Links = Type.Object({
  name: Type.String(),
  links: Type.Record(Type.String(), Type.String()),
});

/** `GET /`: the home page for people, and where to start for programs. */
export function homeRoutes(
  app: App,
  deps: { baseUrl: string; now: () => Promise<Omit<HomeView, 'baseUrl'>> },
): void {
  const links = {
    openapi: `${deps.baseUrl}/openapi.json`,
    payments: `${deps.baseUrl}/.well-known/x402`,
    pricing: `${deps.baseUrl}/pricing`,
    catalogue: `${deps.baseUrl}/catalogue`,
    events: `${deps.baseUrl}/events`,
    health: `${deps.baseUrl}/health`,
  };
  app.get(
    '/',
    {
      schema: {
        operationId: 'home',
        summary: 'Where to start',
        tags: ['service'],
        querystring: Type.Object({
          address: Type.Optional(
            Type.String({
              maxLength: 64,
              description: 'what the page offers to check; a program is not asked',
            }),
          ),
        }),
        response: { 200: Links, ...problems('bad-request') },
      },
    },
    async (request, reply) => {
      const view = { baseUrl: deps.baseUrl, ...(await deps.now()) };
      return replyPageOrJson(request, reply, { name: 'Safe Handshake', links }, () =>
        homePage(view, request.query.address),
      );
    },
  );
}

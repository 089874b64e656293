import { Type } from 'typebox';
import { judgeOrigin } from '../../agents/determinations/origin/origin-result.ts';
import { OriginResult } from '../../agents/determinations/origin/origin-shape.ts';
import { gatherOrigin } from '../../runtime/determinations/public.ts';
import type { Database } from '../../store/database.ts';
import type { App } from '../http/app.ts';
import { problems } from '../schemas.ts';

interface OriginDeps {
  readonly db: Database;
  readonly now: () => Date;
}

/** `GET /origin?url=`: whether a site is on a phishing list, or pretends to be a known one. Free, limited as reads are. */
export function originRoutes(app: App, { db, now }: OriginDeps): void {
  app.get(
    '/origin',
    {
      schema: {
        operationId: 'checkOrigin',
        summary: 'Whether a site is on a phishing list, or pretends to be a known one',
        description: 'INCONCLUSIVE: no usable list is there, so its silence says nothing.',
        tags: ['determinations'],
        querystring: Type.Object({
          url: Type.String({ minLength: 1, maxLength: 2048, description: 'a URL, or a host' }),
        }),
        response: { 200: OriginResult, ...problems('bad-request') },
      },
    },
    async (request) => {
      const at = now().toISOString();
      return judgeOrigin(await gatherOrigin(db, request.query.url, 'url'), at);
    },
  );
}

import { AppError } from '../../agents/errors.ts';
import type { App } from '../http/app.ts';
import { assets } from './bundle.ts';

/** `GET /assets/{name}`: the scripts, style sheets and pictures of the pages. A name never gets other bytes. */
export function assetRoutes(app: App): void {
  const { byName } = assets();
  app.get(
    '/assets/:name',
    { schema: { hide: true }, config: { rateLimit: false } },
    async (request, reply) => {
      const { name } = request.params as { name: string };
      const found = byName.get(name);
      if (found === undefined) throw new AppError('not-found', 'There is no such file.');
      const packed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      if (packed) reply.header('content-encoding', 'gzip');
      return reply
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' })
        .type(found.type)
        .send(packed ? found.gzip : found.bytes);
    },
  );
}

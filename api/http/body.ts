import { badField } from '../../agents/errors.ts';
import type { App } from './app.ts';

/** The largest body of a request, unless a route says otherwise: 64 KiB. */
export const BODY_LIMIT = 64 * 1024;

const NO_BODY = Buffer.alloc(0);

/**
 * Keeps the bytes of each body beside the parsed value, because owner signatures, payments and webhooks are made over
 * the bytes. JSON that would change an object's prototype is refused. A POST without a body has the body `undefined`,
 * so that the route's schema decides whether that is allowed.
 */
export function registerBody(app: App): void {
  app.decorateRequest('rawBody');
  app.decorateRequest('signedBy', null);
  app.decorateRequest('signedText', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.rawBody = NO_BODY;
    done();
  });

  const readJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.rawBody = body;
    if (body.length === 0) return done(null, undefined);
    const text = decode(body);
    if (text === null) return done(badField('body', 'it is not valid UTF-8'), undefined);
    return readJson(request, text, done);
  });
  app.addContentTypeParser(
    ['text/csv', 'application/x-ndjson'],
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      request.rawBody = body;
      const text = decode(body);
      if (text === null) return done(badField('body', 'it is not valid UTF-8'), undefined);
      return done(null, text);
    },
  );
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

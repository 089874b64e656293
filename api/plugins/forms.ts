import { AppError } from '../../agents/errors.ts';
import type { App, Request } from '../app.ts';

/** What a form of a page sent: each field once, as it was typed. */
export type Form = Readonly<Record<string, string>>;

const FORM = 'application/x-www-form-urlencoded';

/** Whether the body is what a browser sends for a plain form. */
export function isForm(request: Request): boolean {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === FORM;
}

/**
 * Lets the routes made inside take forms of this service's own pages, beside JSON; every other route keeps refusing
 * them. No page knows its visitor by a cookie, so that a form sent from elsewhere can do no more than any stranger.
 */
export async function withForms(app: App, routes: (scope: App) => void): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      request.rawBody = body;
      const fields = [...new URLSearchParams(body.toString('utf8'))];
      const form = Object.fromEntries(fields.map(([name, value]) => [name, value.trim()]));
      if (Object.keys(form).length === fields.length) return done(null, form);
      return done(new AppError('bad-request', 'body: a field of the form came twice.'), undefined);
    });
    routes(scope as App);
  });
}

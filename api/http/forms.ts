import { AppError } from '../../agents/errors.ts';
import type { App, Request } from './app.ts';

/** The fields of an HTML form, each once, as they were typed. */
export type Form = Readonly<Record<string, string>>;

const FORM = 'application/x-www-form-urlencoded';

/** True when the body is what a browser sends for a plain HTML form. */
export function isForm(request: Request): boolean {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === FORM;
}

/**
 * Lets the routes that `routes` registers accept HTML forms in addition to JSON; all other routes keep refusing them.
 * No page uses cookies, so a form on another site can do no more than any stranger.
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

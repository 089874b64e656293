import type { App, Request } from './app.ts';
import { prefersHtml } from './negotiate.ts';

/**
 * Leaves out what a person left empty: a form sends each of its fields, and an empty filter of a page is none. What a
 * program sends is read as it is.
 */
export function registerEmptyFields(app: App): void {
  app.addHook('preValidation', async (request) => {
    const query = request.query as Record<string, unknown>;
    if (request.method !== 'GET' || !prefersHtml(request as Request)) return;
    for (const [name, value] of Object.entries(query)) if (value === '') delete query[name];
  });
}

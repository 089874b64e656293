import { type TObject, Type } from 'typebox';
import type { App } from './app.ts';

/**
 * Refuses query parameters that the schema of a route does not name, as is done with fields of a body, where an owner may
 * sign for it, or it is paid for. The wallet shows the whole address to its owner, and nobody else may write text into it;
 * and what was misspelt must not be charged without its effect.
 */
export function registerKnownQueries(app: App): void {
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    if (!schema?.security?.some((proof) => 'ownerSignature' in proof || 'x402' in proof)) return;
    const { properties } = (schema.querystring as TObject | undefined) ?? Type.Object({});
    route.schema = { ...schema, querystring: Type.Object(properties, { additionalProperties: false }) };
  });
}

import { type TObject, Type } from 'typebox';
import { ownerSigned } from '../schemas.ts';
import type { App } from './app.ts';

/**
 * Refuses query parameters that the schema of an owner-signed route does not name, as is done with fields of a body.
 * The wallet shows the whole address to its owner, and nobody else may write text into it.
 */
export function registerKnownQueries(app: App): void {
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    if (schema?.security !== ownerSigned) return;
    const { properties } = (schema.querystring as TObject | undefined) ?? Type.Object({});
    route.schema = { ...schema, querystring: Type.Object(properties, { additionalProperties: false }) };
  });
}

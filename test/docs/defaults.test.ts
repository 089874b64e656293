import { expect, it } from 'vitest';
import { describeRoutes, type Schema } from '../client/describe-routes.ts';

it('requires of nobody what the service puts in itself', async () => {
  const { paths } = await describeRoutes();
  const left: string[] = [];
  let defaults = 0;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const body = requestBody?.content['application/json']?.schema;
      const asked: [string, Schema, boolean][] = [
        ...parameters.map((p): [string, Schema, boolean] => [p.name, p.schema, p.required === true]),
        ...Object.entries(body?.properties ?? {}).map(([name, schema]): [string, Schema, boolean] => [
          name,
          schema,
          body?.required?.includes(name) === true,
        ]),
      ];
      for (const [name, schema, isRequired] of asked) {
        if (schema.default === undefined) continue;
        defaults += 1;
        if (isRequired) left.push(`${method} ${path}: ${name}`);
      }
    }
  }
  expect(defaults).toBeGreaterThan(20);
  expect(left).toEqual([]);
});

import type { Description, Operation, Schema } from './describe-routes.ts';

/** The file that holds the types of the interface, as they follow from the routes' schemas. */
export const GENERATED = new URL('../../client/operations.ts', import.meta.url);

const HEAD = `/**
 * Every operation of the interface: made from the schemas of the routes by \`npm run wire\`. Do not edit.
 */
`;

/** The TypeScript types of every operation that answers JSON, and where each is asked. */
export function generateOperations({ paths, components }: Description): string {
  const named = Object.entries(components.schemas)
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema, 0)};\n`)
    .join('\n');
  const all = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ operation }) => answerOf(operation) !== null);
  const firsts = new Map<string, string>();
  const types = all.map(({ operation: o }) => {
    const type = operationType(o);
    const first = firsts.get(type);
    if (first === undefined) firsts.set(type, o.operationId);
    return `  ${key(o.operationId)}: ${first === undefined ? type : `Operations['${first}']`};`;
  });
  const places = all.map(({ path, method, operation }) => {
    const query = (operation.parameters ?? []).filter((p) => p.in === 'query').map((p) => literal(p.name));
    const names = query.length === 0 ? '' : `, [${query.join(', ')}]`;
    return `  ${key(operation.operationId)}: ['${method.toUpperCase()}', '${path}'${names}],`;
  });
  return [
    HEAD,
    named,
    `export interface Operations {\n${types.join('\n')}\n}\n`,
    '/** The method and the path of an operation, and the names that its query takes. */',
    'export type Place = readonly [',
    "  method: 'GET' | 'POST' | 'DELETE',",
    '  path: string,',
    '  query?: readonly string[],',
    '];\n',
    'export const OPERATIONS: { readonly [K in keyof Operations]: Place } = {',
    ...places,
    '};\n',
  ].join('\n');
}

function answerOf({ responses }: Operation): Schema | null {
  const schemas = Object.entries(responses)
    .filter(([status]) => status < '300')
    .flatMap(([, { content }]) => content?.['application/json']?.schema ?? []);
  return schemas.length === 0 ? null : schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

function operationType(operation: Operation): string {
  const at = (place: 'query' | 'path'): string => {
    const given = (operation.parameters ?? []).filter((p) => p.in === place);
    const members = given.map((p) =>
      member(p.name, p.schema, p.required === true && p.schema.default === undefined, 2),
    );
    if (given.length === 0) return 'undefined';
    const isNeeded = given.some((p) => p.required === true && p.schema.default === undefined);
    return `{\n${members.join('')}    }${isNeeded ? '' : ' | undefined'}`;
  };
  const body = operation.requestBody?.content['application/json']?.schema;
  return `{
    path: ${at('path')};
    query: ${at('query')};
    body: ${body === undefined ? 'undefined' : typeOf(body, 2)};
    answer: ${typeOf(answerOf(operation) ?? {}, 2)};
  }`;
}

function typeOf(schema: Schema, depth: number): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf !== undefined) return joined(schema.anyOf, ' | ', depth);
  if (schema.allOf !== undefined) return joined(schema.allOf, ' & ', depth);
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeOf({ ...schema, type }, depth)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${wrapped(typeOf(schema.items ?? {}, depth))}[]`;
    case 'object':
      return objectType(schema, depth);
    default:
      return 'unknown';
  }
}

function joined(schemas: readonly Schema[], sign: string, depth: number): string {
  return [...new Set(schemas.map((s) => typeOf(s, depth)))].map(wrapped).join(sign);
}

const wrapped = (type: string): string => (/ [|&] |^readonly /.test(type) ? `(${type})` : type);
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);

function objectType(schema: Schema, depth: number): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const rows = Object.entries(properties).map(([name, of]) =>
    member(name, of, required.includes(name), depth),
  );
  const values = Object.values(patternProperties ?? {});
  const open = typeof additionalProperties === 'object' ? additionalProperties : values[0];
  if (rows.length === 0) return `{ readonly [name: string]: ${open ? typeOf(open, depth) : 'unknown'} }`;
  if (additionalProperties === true || open !== undefined)
    rows.push(`${indent(depth + 1)}readonly [name: string]: unknown;\n`);
  return `{\n${rows.join('')}${indent(depth)}}`;
}

function member(name: string, schema: Schema, required: boolean, depth: number): string {
  const says = schema.description?.replaceAll('*/', '* /');
  const doc = says === undefined ? '' : `${indent(depth + 1)}/** ${says} */\n`;
  return `${doc}${indent(depth + 1)}readonly ${key(name)}${required ? '' : '?'}: ${typeOf(schema, depth + 1)};\n`;
}

const indent = (depth: number): string => '  '.repeat(depth);
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

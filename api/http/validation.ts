import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import type { FieldError } from '../../agents/errors.ts';

/** More wrong fields than this would help nobody. */
const MAX_FIELDS = 20;
const MAX_DEPTH = 32;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the one that is looked for
const UNWRITABLE = /[\u0000\ud800-\udfff]/u;

/** What the schema compiler hands to the error handler: the wrong fields, already in words. */
export class FieldsRefused extends Error {
  readonly fields: readonly FieldError[];
  constructor(fields: readonly FieldError[]) {
    super(fields.map((f) => `${f.path}: ${f.message}`).join('; '));
    this.fields = fields;
  }
}

/**
 * Validates requests by the same schema that types the handler. Values of a body are never converted. What is always
 * text (query, path, headers) is read as the number or boolean that its schema asks for, and only when it is spelled as
 * one.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const hasDefaults = JSON.stringify(schema).includes('"default":');
  return (received: unknown) => {
    // The validator gets `null` for a missing body, and the schema decides whether it may be missing.
    const read = httpPart === 'body' ? received : readTexts(schema, received);
    const value = httpPart !== 'body' && hasDefaults ? Value.Default(schema, read) : read;
    if (check.Check(value)) {
      const unwritable = unwritableTexts(schema, value);
      return unwritable.length === 0 ? { value } : { error: new FieldsRefused(unwritable) };
    }
    const sent = value === null ? null : onlyShapeBesideNull(schema);
    const errors = sent === null ? check.Errors(value) : Compile(sent).Errors(value);
    return { error: new FieldsRefused(fieldErrors(sent ?? schema, value, errors, httpPart ?? 'body')) };
  };
};

/** For a body that may be left out: the schema of a body that was sent, so that errors can name its fields. */
function onlyShapeBesideNull({ anyOf }: Shape & TSchema): TSchema | null {
  const shapes = anyOf?.filter((branch) => branch.type !== 'null') ?? [];
  return anyOf !== undefined && shapes.length === 1 ? (shapes[0] as TSchema) : null;
}

interface Shape {
  type?: string;
  description?: string;
  'x-any-character'?: boolean;
  /** Said beside the values that are allowed. */
  'x-remedy'?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  const?: unknown;
  enum?: unknown[];
}

function readTexts(schema: TSchema, received: unknown): unknown {
  const shape = schema as Shape;
  if (typeof received !== 'object' || received === null || !shape.properties) return received;
  return Object.fromEntries(
    Object.entries(received).map(([name, text]) => [name, readText(shape.properties?.[name], text)]),
  );
}

function readText(shape: Shape | undefined, text: unknown): unknown {
  if (!shape || typeof text !== 'string') return text;
  if (shape.type === 'integer' && /^-?(?:0|[1-9][0-9]{0,15})$/.test(text)) return Number(text);
  if (shape.type === 'number' && /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) return Number(text);
  if (shape.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * Finds texts with U+0000 or half a surrogate pair, which no database stores and no wallet shows. A schema whose texts
 * have rules of their own opts out by `x-any-character`.
 */
function unwritableTexts(schema: TSchema, value: unknown): FieldError[] {
  const found: FieldError[] = [];
  const look = (shape: Shape | undefined, at: unknown, path: string, depth: number): void => {
    if (found.length >= MAX_FIELDS) return;
    if (depth > MAX_DEPTH) {
      found.push({ path: path.slice(0, 40), message: `must be nested at most ${MAX_DEPTH} deep` });
    } else if (typeof at === 'string') {
      if (shape?.['x-any-character'] || !UNWRITABLE.test(at)) return;
      found.push({ path, message: 'must be plain text: it holds a character that text cannot hold' });
    } else if (typeof at === 'object' && at !== null) {
      for (const [name, inner] of Object.entries(at)) {
        const step = Array.isArray(at) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
        look(shape?.properties?.[name] ?? shape?.items, inner, step, depth + 1);
      }
    }
  };
  look(schema as Shape, value, '', 0);
  return found;
}

function fieldErrors(
  schema: TSchema,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
  part: string,
): FieldError[] {
  // A union reports the errors of every branch, but only the error of the union itself helps the caller.
  const unions = errors
    .filter((e) => e.keyword === 'anyOf' || e.keyword === 'oneOf')
    .map((e) => e.instancePath);
  const fields = new Map<string, FieldError>();
  for (const error of errors) {
    const branch = unions.some((u) => error.instancePath === u || error.instancePath.startsWith(`${u}/`));
    if (branch && error.keyword !== 'anyOf' && error.keyword !== 'oneOf') continue;
    for (const field of describe(schema as Shape, value, error, part)) {
      if (!fields.has(field.path) && fields.size < MAX_FIELDS) fields.set(field.path, field);
    }
  }
  return [...fields.values()];
}

function describe(
  schema: Shape,
  value: unknown,
  error: TLocalizedValidationError,
  part: string,
): FieldError[] {
  const steps = error.instancePath.split('/').slice(1).map(unescapeStep);
  const at = dotted(steps);
  const under = (name: string) => (at === '' ? name : `${at}.${name}`);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        path: under(name),
        message: `is required${valuesOf(shapeAt(schema, steps)?.properties?.[name])}`,
      }));
    case 'additionalProperties': {
      const known = Object.keys(shapeAt(schema, steps)?.properties ?? {});
      const hint = known.length > 0 ? `: use ${known.join(', ')}` : '';
      return error.params.additionalProperties.map((name) => ({
        path: under(name),
        message: `is not a known field${hint}`,
      }));
    }
    case 'minProperties': {
      const known = Object.keys(shapeAt(schema, steps)?.properties ?? {}).join(', ');
      return [
        { path: at === '' ? part : at, message: `must have at least ${error.params.limit} of ${known}` },
      ];
    }
    // TypeBox also reports the unknown member itself, as "never".
    case 'boolean':
      return [];
    default:
      break;
  }
  if (steps.length === 0) {
    const absent = value === undefined || value === null;
    return [{ path: part, message: absent ? 'is required: send a JSON object' : 'must be a JSON object' }];
  }
  const shape = shapeAt(schema, steps);
  const sent = valueAt(value, steps);
  // A parameter that is given twice arrives as an array.
  const again = part === 'querystring' && shape?.type !== 'array' && Array.isArray(sent);
  return [{ path: at, message: again ? 'must be given once' : unionSentence(shape, error, sent) }];
}

/** Which values there are, of a field that takes only some. */
function valuesOf(shape: Shape | undefined): string {
  const values = shape?.enum ?? [];
  return values.length === 0 ? '' : `: one of ${values.map(String).join(', ')}`;
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce((at, step) => (at as Record<string, unknown> | undefined)?.[step], value);
}

/** Of a union, only the branch that a number or a text is meant for helps its caller: it has the right type already. */
function unionSentence(shape: Shape | undefined, error: TLocalizedValidationError, sent: unknown): string {
  const meant = shape?.anyOf?.filter((branch) => branch.type === typeof sent && branch.const === undefined);
  const branch = error.keyword === 'anyOf' && meant?.length === 1 ? meant[0]! : null;
  const inside = branch === null ? undefined : Value.Errors(branch as TSchema, sent)[0];
  if (branch === null || inside === undefined) return sentence(shape, error);
  const description = branch.description ?? shape?.description;
  return sentence({ ...branch, ...(description !== undefined && { description }) }, inside);
}

function sentence(shape: Shape | undefined, error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}${remedyOf(shape)}`;
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'anyOf':
    case 'oneOf':
      return `must be ${alternatives(shape)}`;
    case 'type':
      return `must be ${article([error.params.type].flat().join(' or '))}`;
    case 'pattern':
      return `must match ${String(error.params.pattern)}${meaningOf(shape)}`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minLength':
      return `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    default:
      return error.message;
  }
}

function alternatives(shape: Shape | undefined): string {
  const branches = shape?.anyOf ?? [];
  const words = branches.map((b) =>
    b.const === undefined ? article(b.type ?? 'value') : JSON.stringify(b.const),
  );
  if (words.length === 0) return 'one of the documented forms';
  return `${[...new Set(words)].join(' or ')}${meaningOf(shape)}`;
}

/** What else a caller needs to know who sent another value. */
function remedyOf(shape: Shape | undefined): string {
  return shape?.['x-remedy'] === undefined ? '' : `; ${shape['x-remedy']}`;
}

function meaningOf(shape: Shape | undefined): string {
  return shape?.description === undefined ? '' : ` (${shape.description})`;
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function shapeAt(schema: Shape, steps: readonly string[]): Shape | undefined {
  let shape: Shape | undefined = schema;
  for (const step of steps) shape = shape?.properties?.[step] ?? shape?.items;
  return shape;
}

function dotted(steps: readonly string[]): string {
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

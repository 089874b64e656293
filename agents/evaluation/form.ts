import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** A line that does not have the form that is documented: which field, and what is wrong with it. */
export class FormError extends Error {
  override readonly name = 'FormError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Requires a value to have a form, and names the field where it does not.
 * @param at the name of the value, to which the name of the field is added
 * @throws FormError
 */
export function requireForm(form: TSchema, value: unknown, at = ''): void {
  if (Value.Check(form, value)) return;
  const [first] = [...Value.Errors(form, value)].sort(
    (a, b) => depthOf(b.instancePath) - depthOf(a.instancePath),
  );
  const params = (first?.params ?? {}) as Readonly<Record<string, unknown>>;
  const named = [params.requiredProperties, params.additionalProperties].find(Array.isArray) as
    | readonly string[]
    | undefined;
  const path = [...(first?.instancePath ?? '').split('/').slice(1), ...(named?.slice(0, 1) ?? [])];
  const message =
    named === undefined
      ? first === undefined || first.message === 'schema is false'
        ? UNKNOWN
        : first.message
      : missingOrUnknown(params);
  throw new FormError([at, ...path].filter((part) => part !== '').join('.') || 'line', message);
}

const UNKNOWN = 'is not a field of this form';

function missingOrUnknown(params: Readonly<Record<string, unknown>>): string {
  return Array.isArray(params.requiredProperties) ? 'is missing' : UNKNOWN;
}

function depthOf(path: string): number {
  return path.split('/').length;
}

/** @throws FormError when it is not an object */
export function requireObject(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FormError(field, 'must be a JSON object');
  return value as Readonly<Record<string, unknown>>;
}

/** Milliseconds of an ISO 8601 time. @throws FormError */
export function requireTime(value: unknown, field: string): number {
  const at = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new FormError(field, 'must be an ISO 8601 time');
  return at;
}

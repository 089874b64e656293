import { wrongField } from './errors.ts';
import { OPERATIONS, type Place } from './operations.ts';
import type { Asked } from './request.ts';

/** One request's own options. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The caller's own id for this purchase or act: the same one asks for the same answer. Made up when left out. */
  readonly idempotencyKey?: string;
}

/** What an operation is given, also by programs that no compiler checked. */
interface Given extends CallOptions {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The request for an operation. Whatever it would pass over, or turn into another request, is refused.
 * @throws HandshakeError bad-request, with the field
 */
export function askedOf(base: URL, operation: string, given: Given): Asked {
  if (!Object.hasOwn(OPERATIONS, operation))
    throw wrongField('operation', `must be an operationId of /openapi.json, and "${operation}" is none`);
  const [method, template, queries = []]: Place = OPERATIONS[operation as keyof typeof OPERATIONS];
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { path, query, body, signal, idempotencyKey, ...others } = given;
  for (const name of Object.keys(others)) {
    const part = names.includes(name) ? 'path' : queries.includes(name) ? 'query' : null;
    const known = 'is not a known field: use path, query, body, signal, idempotencyKey';
    throw wrongField(name, part === null ? known : `must be given as ${part}: { ${name} }`);
  }
  if (method === 'GET' && body !== undefined) throw wrongField('body', 'must be left out of a GET');
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
    throw wrongField('idempotencyKey', 'must be text');
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${filled(template, names, path)}`, base);
  for (const [name, value] of Object.entries(membersOf('query', query, queries)))
    if (value !== undefined && value !== null) url.searchParams.set(name, textOf(`query.${name}`, value));
  return { method, url, body, signal, idempotencyKey };
}

function filled(template: string, names: readonly string[], path: unknown): string {
  const values = membersOf('path', path, names);
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const at = `path.${name}`;
    const value = values[name] ?? null;
    if (value === null) throw wrongField(at, 'is required');
    const text = textOf(at, value);
    // A URL takes dots for a way up, and has no form for half a character.
    if (/^\.{0,2}$|[\ud800-\udfff]/u.test(text)) throw wrongField(at, 'there is no such thing');
    return encodeURIComponent(text);
  });
}

function membersOf(part: 'path' | 'query', given: unknown, known: readonly string[]): Members {
  const members = given ?? {};
  if (typeof members !== 'object' || Symbol.iterator in members)
    throw wrongField(part, 'must be a plain object');
  const strange = Object.keys(members).find((name) => !known.includes(name));
  if (strange === undefined) return members as Members;
  const hint = known.length === 0 ? '' : `: use ${known.join(', ')}`;
  throw wrongField(`${part}.${strange}`, `is not a known field${hint}`);
}

function textOf(at: string, value: unknown): string {
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
    throw wrongField(at, 'must be text, a number, true or false');
  return String(value);
}

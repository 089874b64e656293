import { canonicalJson } from '../../agents/canonical.ts';
import type { JsonSchema, Operation } from './operations.ts';
import type { Tool } from './tools.ts';
import type { WireRequest } from './wire.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** A signature as the `Authorization` header of owner-signed routes takes it. */
const OWNER_SIGNATURE: JsonSchema = {
  type: 'object',
  description: 'the nonce of `sign`, and the signature over `sign.message`',
  properties: {
    nonce: { type: 'string', pattern: '^[0-9a-f]{1,256}$' },
    signature: { type: 'string', pattern: '^0x[0-9a-fA-F]{130,12000}$' },
  },
  required: ['nonce', 'signature'],
  additionalProperties: false,
};
const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'string',
  pattern: '^[\\x21-\\x7e]{1,255}$',
  description: 'the same key with the same arguments is one act, and gets the same answer',
};

/**
 * The JSON schema of a tool's arguments: the parameters and the members of the body of its operation, side by side.
 * What they must be is the operation's own schema, which also refuses what does not fit.
 */
export function inputSchemaOf(tool: Tool, operation: Operation): JsonSchema {
  const fromBody = operation.body ?? {};
  const parameters = operation.parameters.map(({ name, schema }) => [name, schema] as const);
  return {
    type: 'object',
    properties: {
      ...tool.own,
      ...fromBody.properties,
      ...Object.fromEntries(parameters),
      ...(tool.kind === 'signed' ? { ownerSignature: OWNER_SIGNATURE } : {}),
      ...(isAct(tool) ? { idempotencyKey: IDEMPOTENCY_KEY } : {}),
    },
    required: [
      ...Object.keys(tool.own ?? {}),
      ...operation.parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(fromBody.required ?? []),
    ].filter((name, at, all) => all.indexOf(name) === at),
    additionalProperties: false,
  };
}

/** Arguments that make no request; the message says which and why. */
export class ArgumentsRefused extends Error {
  override readonly name = 'ArgumentsRefused';
}

/**
 * Makes the request of a tool call. The same arguments in whatever order make the same bytes, because payments and
 * signatures are bound to them.
 * @throws ArgumentsRefused
 */
export function requestOf(tool: Tool, operation: Operation, given: Arguments): WireRequest {
  const known = inputSchemaOf(tool, operation).properties as Record<string, JsonSchema>;
  const strange = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (strange !== undefined)
    throw new ArgumentsRefused(`${strange}: the tool "${tool.name}" has no such argument`);
  const { properties = {} } = operation.body ?? {};
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(properties, name)));
  return {
    method: operation.method,
    path: pathOf(operation, given),
    headers: {
      accept: 'application/json',
      ...(operation.body === null ? {} : { 'content-type': 'application/json' }),
      ...signatureHeader(given.ownerSignature),
      ...(given.idempotencyKey === undefined ? {} : keyHeader(given.idempotencyKey)),
    },
    body: operation.body === null ? null : canonicalJson(body),
  };
}

const isAct = ({ kind, reads }: Tool): boolean => kind === 'signed' && !reads;

function pathOf({ path, parameters }: Operation, given: Arguments): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, required } of [...parameters].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const value = given[name];
    if (value === undefined) {
      if (required && place === 'path') throw new ArgumentsRefused(`${name}: it must be given`);
      continue;
    }
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw new ArgumentsRefused(`${name}: must be text, a number, true or false`);
    if (place === 'query') query.set(name, String(value));
    else if (/^\.{0,2}$/.test(String(value))) throw new ArgumentsRefused(`${name}: there is no such thing`);
    else filled = filled.replace(`{${name}}`, () => encodeURIComponent(String(value)));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function signatureHeader(given: unknown): Record<string, string> {
  if (given === undefined) return {};
  const { nonce, signature } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const isOne =
    typeof nonce === 'string' &&
    /^[0-9a-f]{1,256}$/.test(nonce) &&
    typeof signature === 'string' &&
    /^0x[0-9a-fA-F]{130,12000}$/.test(signature);
  if (!isOne) throw new ArgumentsRefused('ownerSignature: give { nonce, signature } as `sign` asks');
  return { authorization: `EIP191 nonce="${nonce}", signature="${signature}"` };
}

function keyHeader(given: unknown): Record<string, string> {
  if (typeof given !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(given))
    throw new ArgumentsRefused('idempotencyKey: must be 1 to 255 plain characters');
  return { 'idempotency-key': given };
}

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { REGISTERS, type RegisterRow, rowReader } from '../../agents/determinations/register-row.ts';
import { AppError, badField } from '../../agents/errors.ts';
import type { Database } from '../../store/database.ts';
import { importRegister } from '../../store/registers.ts';
import type { App, Request } from '../app.ts';
import type { RequireOperator } from '../plugins/operator-key.ts';
import { problems, Time } from '../schemas.ts';

interface RegisterDeps {
  readonly db: Database;
  readonly requireOperator: RequireOperator;
  readonly now: () => Date;
}

/** A list may be long: it is read as it comes and never held whole. */
const LIST_LIMIT = 64 * 1024 * 1024;
const LINE_LIMIT = 64 * 1024;
const DAY_MS = 86_400_000;

const Params = Type.Object({ name: Type.Enum([...REGISTERS]) });
const Query = Type.Object(
  {
    source: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,99}$',
        description: "the list's name; `operator` when left out",
      }),
    ),
    asOf: Type.Optional(
      Type.String({ description: 'ISO 8601: the state the list shows; now when left out' }),
    ),
    mode: Type.Optional(
      Type.Enum(['add', 'replace'], {
        description: "`replace` drops this list's earlier rows; `add` when left out",
      }),
    ),
  },
  { additionalProperties: false },
);
const Answer = Type.Object({
  register: Type.Enum([...REGISTERS]),
  source: Type.String(),
  asOf: Time,
  rows: Type.Integer({ description: 'rows read' }),
  total: Type.Integer({ description: 'rows this list holds now' }),
});

/** `POST /register/{name}`: all rows of a list, or none of them. */
export async function registerRoutes(app: App, deps: RegisterDeps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(Object.keys(FORMATS), (_request, payload, done) => done(null, payload));
    scope.post(
      '/register/:name',
      {
        bodyLimit: LIST_LIMIT,
        config: { idempotency: false },
        schema: {
          operationId: 'importRegister',
          summary: 'Import rows into a register',
          description:
            'CSV (a heading may name the columns; else the first is the key) or JSON lines. Addresses for sanctions ' +
            'and known-scam; asset keys, serials or contract with tokenId for stolen and recalled; item, ' +
            'category, priceUsd and soldAt for comparables.',
          consumes: Object.keys(FORMATS),
          security: [{ operatorKey: [] }],
          params: Params,
          querystring: Query,
          response: {
            201: Answer,
            ...problems('bad-request', 'operator-key-invalid', 'too-large', 'timeout'),
          },
        },
        // Nothing of the body is read before this: a stranger cannot make the service read a long list.
        preHandler: async (request) => {
          await deps.requireOperator(request, 'registers');
        },
      },
      async (request, reply) => {
        const { source = 'operator', mode = 'add' } = request.query;
        const register = request.params.name;
        const asOf = readAsOf(request.query.asOf, deps.now());
        const rows = readRows(request, rowReader(register, formatOf(request)), mode);
        const done = await importRegister(deps.db, { register, source, asOf, mode, rows });
        reply.code(201);
        return { register, source, asOf: asOf.toISOString(), rows: done.rows, total: done.total };
      },
    );
  });
}

const FORMATS: Readonly<Record<string, 'csv' | 'jsonl'>> = {
  'text/csv': 'csv',
  'text/plain': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'application/json': 'jsonl',
};

function formatOf(request: Request): 'csv' | 'jsonl' {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const format = FORMATS[type];
  if (format === undefined) throw badField('content-type', 'send text/csv or application/x-ndjson');
  return format;
}

function readAsOf(text: string | undefined, now: Date): Date {
  if (text === undefined) return now;
  const asOf = new Date(text);
  if (Number.isNaN(asOf.getTime())) throw badField('asOf', 'must be an ISO 8601 date');
  if (asOf.getTime() > now.getTime() + DAY_MS) throw badField('asOf', 'must not lie in the future');
  return asOf;
}

async function* readRows(
  request: Request,
  read: (line: string, number: number) => RegisterRow | null,
  mode: 'add' | 'replace',
): AsyncGenerator<RegisterRow> {
  let count = 0;
  let number = 0;
  for await (const line of lines(request.body)) {
    number += 1;
    const row = read(line, number);
    if (row === null) continue;
    count += 1;
    yield row;
  }
  if (count === 0 && mode === 'add')
    throw badField('body', 'it carries no row; an empty list can only `replace` one');
  // The last row is read: what follows is the end of the transaction.
  request.lastCall();
}

/** Lines of a UTF-8 stream; `\r` is trimmed by the reader of the line. */
async function* lines(body: unknown): AsyncGenerator<string> {
  if (!(body instanceof Readable)) return;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let size = 0;
  let number = 0;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (cause) {
      throw new AppError('bad-request', `line ${number + 1}: it is not valid UTF-8; nothing was imported`, {
        cause,
      });
    }
  };
  for await (const bytes of body as AsyncIterable<Buffer>) {
    size += bytes.length;
    if (size > LIST_LIMIT)
      throw new AppError('too-large', 'The list is larger than 64 MiB: send it in parts.');
    const parts = (rest + decode(bytes)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > LINE_LIMIT)
      throw badField(`line ${number + parts.length + 1}`, 'must be at most 65536 characters');
    for (const part of parts) {
      number += 1;
      yield part;
    }
  }
  rest += decode();
  if (rest !== '') yield rest;
}

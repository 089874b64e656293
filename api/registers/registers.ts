import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import {
  LARGEST_SHRINK,
  MINIMUM_ROWS,
  REGISTERS,
  type RegisterRow,
  rowReader,
} from '../../agents/determinations/provenance/register-row.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { registerStatus, usableOf } from '../../runtime/registers/status.ts';
import type { Database } from '../../store/database.ts';
import { importRegister, listsOf } from '../../store/registers/registers.ts';
import type { App, Request } from '../http/app.ts';
import { byKey, type RequireOperator } from '../http/auth/operator-key.ts';
import { problems, Time } from '../schemas.ts';

interface RegisterDeps {
  readonly db: Database;
  readonly requireOperator: RequireOperator;
  readonly now: () => Date;
}

/** The largest list. It may be this long because it is read as a stream and never held whole. */
const LIST_LIMIT = 64 * 1024 * 1024;
const LINE_LIMIT = 64 * 1024;

const Params = Type.Object({ name: Type.Enum([...REGISTERS]) });
const Query = Type.Object(
  {
    source: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,99}$',
        description: "the list's name; `operator` when left out",
      }),
    ),
    publishedAt: Type.Optional(
      Type.String({
        description: "ISO 8601: the publisher's own date of this state of the list. Only with `mode=replace`",
      }),
    ),
    completeAsOf: Type.Optional(
      Type.String({
        description:
          'ISO 8601: as of when you vouch that the list is complete, where its publisher dates it not. Only with ' +
          '`mode=replace`. Without either date the list cannot say "not listed"',
      }),
    ),
    minimum: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'with fewer rows it cannot say "not listed"; by register when left out',
      }),
    ),
    largestShrink: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          'percent of its rows that a list in the place of another may have lost; 50 when left out',
      }),
    ),
    acceptShrunk: Type.Optional(Type.Boolean({ description: 'take it however much it has lost' })),
    synthetic: Type.Optional(
      Type.Boolean({ description: 'made up, for demonstration or tests: records say so' }),
    ),
    mode: Type.Optional(
      Type.Enum(['add', 'replace'], {
        description:
          "`replace` drops this list's earlier rows, and a date needs it, since a date says that the list is whole; `add` " +
          'when left out',
      }),
    ),
  },
  { additionalProperties: false },
);
const Answer = Type.Object({
  register: Type.Enum([...REGISTERS]),
  source: Type.String(),
  asOf: Type.Union([Time, Type.Null()], { description: 'null: this import says no date' }),
  rows: Type.Integer({ description: 'rows read' }),
  total: Type.Integer({ description: 'rows this list holds now' }),
  usable: Type.Optional(
    Type.Boolean({
      description:
        'whether what this list does not name counts as not listed; absent of a register that only adds what it names',
    }),
  ),
  why: Type.Optional(Type.String({ description: 'why it is not usable' })),
});

/** `POST /register/{name}`: imports all rows of a list, or none of them. */
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
            'and known-scam; addresses with kind (exchange, bridge, mixer, burn) for labels; asset keys, serials, or ' +
            'contract with tokenId and chainId (or chain, as eip155:1) for stolen and recalled; item, category, priceUsd ' +
            'and soldAt for comparables; role, contract and calls for token-contracts.',
          consumes: Object.keys(FORMATS),
          security: [{ operatorKey: [] }],
          params: Params,
          querystring: Query,
          response: {
            201: Answer,
            ...problems('bad-request', 'operator-key-invalid', 'conflict', 'too-large', 'timeout'),
          },
        },
      },
      async (request, reply) => {
        // The body is read only after the key was checked, so that a stranger cannot make the service read a long list.
        const key = await deps.requireOperator(request, 'registers');
        const { source = 'operator', mode = 'add' } = request.query;
        const register = request.params.name;
        const { publishedAt, completeAsOf, synthetic, acceptShrunk = false } = request.query;
        // Rows that are added clear nobody, so a date on them would vouch for what the list names no more.
        if (mode === 'add' && (publishedAt ?? completeAsOf) !== undefined)
          throw badField('mode', 'a date is of the whole list: send all its rows, with mode=replace');
        const published = readDate('publishedAt', publishedAt, deps.now());
        const asOf = published ?? readDate('completeAsOf', completeAsOf, deps.now());
        const held = (await listsOf(deps.db, register)).find((l) => l.source === source);
        const body = createHash('sha256');
        const rows = readRows(request, { read: rowReader(register, formatOf(request)), mode, body });
        const act = () => ({
          by: byKey(key),
          act: 'list taken',
          subject: request.url,
          detail: { body: body.digest('hex') },
        });
        const done = await importRegister(deps.db, {
          ...{ register, source, asOf, mode, rows, act },
          basis: published === null ? 'attested' : 'published',
          minimum: request.query.minimum ?? held?.minimum ?? MINIMUM_ROWS[register],
          ...(acceptShrunk ? {} : { largestShrink: request.query.largestShrink ?? LARGEST_SHRINK }),
          ...(synthetic === undefined ? {} : { synthetic }),
        });
        reply.code(201);
        const status = (await registerStatus(deps.db, [], deps.now())).find(
          ({ list }) => list === `${register}/${source}`,
        );
        return {
          ...{ register, source, asOf: asOf?.toISOString() ?? null, rows: done.rows, total: done.total },
          ...(status === undefined ? {} : usableOf(status)),
        };
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

/** Reads the date of a list; a date in the future is refused. @throws AppError bad-request */
function readDate(name: string, text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw badField(name, 'must be an ISO 8601 date');
  if (date.getTime() > now.getTime()) throw badField(name, 'must not lie in the future');
  return date;
}

interface Reading {
  readonly read: (line: string, number: number) => RegisterRow | null;
  readonly mode: 'add' | 'replace';
  /** Takes in every byte that is read. */
  readonly body: Hash;
}

async function* readRows(request: Request, { read, mode, body }: Reading): AsyncGenerator<RegisterRow> {
  let count = 0;
  let number = 0;
  for await (const line of lines(request.body, body)) {
    number += 1;
    const row = read(line, number);
    if (row === null) continue;
    count += 1;
    yield row;
  }
  if (count === 0 && mode === 'add')
    throw badField('body', 'it carries no row; an empty list can only `replace` one');
  // After the last row only the commit follows, so this is the last moment for the deadline.
  request.lastCall();
}

/** The lines of a UTF-8 stream. A trailing `\r` is left for the reader of the line to trim. */
async function* lines(body: unknown, hash: Hash): AsyncGenerator<string> {
  if (!(body instanceof Readable)) return;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // The pieces of a line that is still incomplete. They are joined once, so that many small pieces cost little.
  let rest: string[] = [];
  let waiting = 0;
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
    hash.update(bytes);
    size += bytes.length;
    if (size > LIST_LIMIT)
      throw new AppError(
        'too-large',
        'The list is larger than 64 MiB: send it in parts, each as a `source` of its own.',
      );
    const parts = decode(bytes).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      number += 1;
      rest.push(part);
      yield rest.join('');
      [rest, waiting] = [[], 0];
    }
    rest.push(last);
    waiting += last.length;
    if (waiting > LINE_LIMIT) throw badField(`line ${number + 1}`, 'must be at most 65536 characters');
  }
  rest.push(decode());
  const left = rest.join('');
  if (left !== '') yield left;
}

import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import type { EventKind } from '../../store/records/public-events.ts';
import type { App, Request } from '../http/app.ts';
import { clientKey } from '../http/client-address.ts';
import { lotFilters } from '../market/market.ts';
import { AssetKey, CategoryName, Handle, problems } from '../schemas.ts';
import type { EventHub, Wants } from './event-hub.ts';
import { EVENT_DATA } from './event-wire.ts';

const KINDS = ['match', 'close-call', 'listing', 'order-book', 'activity'] as const satisfies EventKind[];

export interface EventDeps {
  readonly hub: EventHub;
  /** How many streams may be open at once: of one address (IPv6: one /64), and in all. */
  readonly perAddress: number;
  readonly inAll: number;
}

const DESCRIPTION = `Server-sent events: \`match\`, \`close-call\`, \`listing\`, \`order-book\` and \`activity\`, as they become public.
The \`data\` of an event is the row of the list that shows the same (\`/matches\`, \`/close-calls\`, \`/catalogue\`, \`/orders\`,
\`/agent/{handle}/activity\`), with \`live\` or \`open\` where a row can leave its list. Ids are whole numbers without gaps.
A stream that broke off goes on from \`Last-Event-ID\`; where that id is no longer kept, one \`reset\` event says so: read the
lists again, and events go on from its \`latest\`. Events are kept for seven days. Comments keep an idle stream open. A
listener that does not take what waits for it is cut off, and goes on from its last id when it comes back.`;

/** `GET /events`: streams what becomes public. */
export function eventRoutes(app: App, { hub, perAddress, inAll }: EventDeps): void {
  const open = new Map<string, number>();
  app.addHook('preClose', () => hub.close());

  app.get(
    '/events',
    {
      config: { admission: false, staysOpen: true },
      schema: {
        operationId: 'events',
        summary: 'What becomes public, as it does: server-sent events',
        description: DESCRIPTION,
        tags: ['market'],
        querystring: Type.Object({
          only: Type.Optional(
            Type.String({
              pattern: `^(?:${KINDS.join('|')})(?:,(?:${KINDS.join('|')}))*$`,
              maxLength: 100,
              description: `names of events, separated by commas: ${KINDS.join(', ')}`,
            }),
          ),
          category: Type.Optional(CategoryName),
          lot: Type.Optional(AssetKey),
          handle: Type.Optional(Handle),
          after: Type.Optional(
            Type.String({
              pattern: '^[0-9]{1,18}$',
              description: 'begin with what came after this id; `Last-Event-ID` goes before it',
            }),
          ),
        }),
        response: {
          200: {
            description: 'One event after another, each named, its `data` as described by name',
            content: { 'text/event-stream': { schema: Type.Object(EVENT_DATA) } },
          },
          ...problems('bad-request'),
        },
      },
    },
    async (request, reply) => {
      const address = clientKey(request as Request);
      const streams = open.get(address) ?? 0;
      if (streams >= perAddress) {
        reply.header('retry-after', '30');
        throw new AppError(
          'rate-limited',
          `${perAddress} streams are open from this address: close one first.`,
        );
      }
      if (hub.listeners() >= inAll) {
        throw new AppError('unavailable', 'As many listen as this process can serve: try again later.');
      }
      const from = {
        after: startOf(request, request.query.after),
        wants: wantsOf(lotFilters(request.query)),
      };
      reply.hijack();
      const { raw } = reply;
      if (raw.destroyed || request.raw.destroyed) return;
      open.set(address, streams + 1);
      raw.once('close', () => {
        const left = (open.get(address) ?? 1) - 1;
        if (left > 0) open.set(address, left);
        else open.delete(address);
      });
      raw.socket?.setKeepAlive(true, 60_000);
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        connection: 'close',
      });
      raw.flushHeaders();
      await hub.join(raw, from).catch((error: unknown) => {
        request.log.warn({ error: String(error) }, 'a stream of events could not begin');
        raw.destroy();
      });
    },
  );
}

/**
 * The id to resume from. A browser may send an id of another service that was at this address; it is told to start
 * anew.
 */
function startOf(request: Request, after: string | undefined): bigint | null {
  const last = request.headers['last-event-id'];
  if (typeof last === 'string' && last !== '') return /^[0-9]{1,18}$/.test(last) ? BigInt(last) : -1n;
  return after === undefined ? null : BigInt(after);
}

interface Chosen {
  readonly only?: string;
  readonly category?: string;
  readonly lot?: string;
  readonly handle?: string;
}

function wantsOf({ only, category, lot, handle }: Chosen): Wants {
  if (only === undefined && category === undefined && lot === undefined && handle === undefined) return null;
  const kinds = only === undefined ? null : new Set(only.split(','));
  const fields = Object.entries({ category, lot, handle }).filter(([, value]) => value !== undefined);
  return ({ kind, data }) =>
    (kinds === null || kinds.has(kind)) &&
    fields.every(([field, value]) => (data as Readonly<Record<string, unknown>>)[field] === value);
}

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Backlog } from '../../store/backlog.ts';
import type { DeliveryBacklog } from '../../store/webhook-deliveries.ts';

/** What this process counts as it works. */
export interface Meter {
  turn(kind: string, outcome: 'served' | 'idle' | 'failed' | 'parked', seconds: number): void;
  effect(kind: string, outcome: 'done' | 'failed' | 'pending' | 'lost', seconds: number): void;
  /** One attempt: it was taken, it was answered otherwise, or nothing answered. */
  webhook(outcome: 'delivered' | 'refused' | 'failed', seconds: number): void;
  request(method: string, route: string, status: number, seconds: number): void;
}

export interface Metrics {
  readonly meter: Meter;
  /** As Prometheus reads it (text format 0.0.4). Whatever is asked of others is asked now. */
  text(readings: Partial<Readings>): Promise<string>;
  readonly contentType: string;
}

/** What is read when somebody looks, in whichever process that is. A reading that fails is left out. */
export interface Readings {
  readonly queue: () => Promise<readonly { readonly name: string; readonly waiting: number }[]>;
  readonly backlog: () => Promise<Backlog>;
  readonly webhooks: () => Promise<DeliveryBacklog>;
  readonly workers: () => Promise<readonly { readonly silent: number; readonly inHand: number }[]>;
  readonly signers: () => Promise<
    readonly { readonly chain: string; readonly role: string; readonly balance: number }[]
  >;
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of one process, in a registry of its own. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const turns = new Histogram({
    name: 'handshake_turn_seconds',
    help: 'How long turns took, from the ring to what was written.',
    labelNames: ['kind', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const effects = new Histogram({
    name: 'handshake_effect_seconds',
    help: 'How long attempts at effects took, by what came of them.',
    labelNames: ['kind', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const webhooks = new Histogram({
    name: 'handshake_webhook_seconds',
    help: 'How long attempts to deliver webhooks took, by what came of them.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers,
  });
  const requests = new Histogram({
    name: 'handshake_http_request_seconds',
    help: 'How long requests took.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const read = readers(registers);
  new Counter({
    name: 'handshake_process_cpu_seconds_total',
    help: 'User and system time of this process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'handshake_process_resident_bytes',
    help: 'Memory of this process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  return {
    meter: {
      turn: (kind, outcome, s) => turns.observe({ kind, outcome }, s),
      effect: (kind, outcome, s) => effects.observe({ kind, outcome }, s),
      webhook: (outcome, s) => webhooks.observe({ outcome }, s),
      request: (method, route, status, s) => requests.observe({ method, route, status }, s),
    },
    contentType: registry.contentType,
    async text(readings) {
      await Promise.all(read.map((one) => one(readings)));
      return await registry.metrics();
    },
  };
}

type Reader = (readings: Partial<Readings>) => Promise<void>;

/** Gauges of what is read: emptied first, so that what cannot be read is not shown as it once was. */
function readers(registers: Registry[]): readonly Reader[] {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `handshake_${name}`, help, labelNames, registers });
  const queue = gauge('queue_waiting', 'Rings that wait in BullMQ.', ['queue']);
  const unserved = gauge('events_unserved', 'Events that wait in mailboxes.');
  const oldest = gauge(
    'oldest_unserved_event_seconds',
    'Age of the oldest event that waits; 0 where none does.',
  );
  const parked = gauge('events_parked', 'Events that were parked after their tries.');
  const oldestParked = gauge(
    'oldest_parked_seconds',
    'Since when the oldest event or effect is parked; 0 where none is.',
  );
  const undelivered = gauge('webhooks_waiting', 'Webhooks that wait to be taken.');
  const oldestWebhook = gauge(
    'oldest_undelivered_webhook_seconds',
    'Age of the oldest webhook that nobody has taken; 0 where there is none.',
  );
  const givenUp = gauge('webhooks_given_up', 'Webhooks that were given up after their tries.');
  const standing = gauge('effects', 'Effects that are not done, by kind and status.', ['kind', 'status']);
  const workers = gauge('workers', 'Workers that were heard of within ten seconds.');
  const inHand = gauge('effects_in_hand', 'Effects under way in workers that were heard of.');
  const balance = gauge('signer_balance_coins', 'Gas money of the keys that pay for it.', ['chain', 'role']);
  // What has labels is shown for those that were set since; what has none is 0 until it is taken out.
  const plain = new Set([
    ...[unserved, oldest, parked, oldestParked, workers, inHand],
    ...[undelivered, oldestWebhook, givenUp],
  ]);
  const hide = (g: Gauge): void => {
    g.reset();
    if (plain.has(g)) g.remove();
  };
  const guarded = async <T>(
    of: readonly Gauge[],
    read: (() => Promise<T>) | undefined,
    show: (t: T) => void,
  ) => {
    for (const g of of) g.reset();
    try {
      if (read) show(await read());
      else of.forEach(hide);
    } catch {
      of.forEach(hide);
    }
  };
  return [
    (r) =>
      guarded([queue], r.queue, (list) => {
        for (const { name, waiting } of list) queue.set({ queue: name }, waiting);
      }),
    (r) =>
      guarded([unserved, oldest, parked, oldestParked, standing], r.backlog, (b) => {
        unserved.set(b.unservedEvents);
        oldest.set(b.oldestUnserved ?? 0);
        parked.set(b.parkedEvents);
        oldestParked.set(b.oldestParked ?? 0);
        for (const { kind, status, count } of b.effects) standing.set({ kind, status }, count);
      }),
    (r) =>
      guarded([undelivered, oldestWebhook, givenUp], r.webhooks, (w) => {
        undelivered.set(w.waiting);
        oldestWebhook.set(w.oldest ?? 0);
        givenUp.set(w.givenUp);
      }),
    (r) =>
      guarded([workers, inHand], r.workers, (list) => {
        const live = list.filter((w) => w.silent < 10);
        workers.set(live.length);
        inHand.set(live.reduce((sum, w) => sum + w.inHand, 0));
      }),
    (r) =>
      guarded([balance], r.signers, (list) => {
        for (const { chain, role, balance: coins } of list) balance.set({ chain, role }, coins);
      }),
  ];
}

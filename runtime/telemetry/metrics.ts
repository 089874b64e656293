import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Backlog } from '../../store/durable/backlog.ts';
import { serves } from '../../store/durable/workers.ts';
import type { DeliveryBacklog } from '../../store/webhooks/webhook-deliveries.ts';
import type { GasState } from '../payments/gas-guard.ts';
import type { ReaderHead } from './reader-heads.ts';

/** What this process counts as it works. */
export interface Meter {
  mailbox(kind: string, outcome: 'served' | 'idle' | 'failed' | 'dead-lettered', seconds: number): void;
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
  /** What periodic tasks set aside. */
  readonly quarantine: () => Promise<readonly { readonly kind: string; readonly count: number }[]>;
  readonly workers: () => Promise<readonly { readonly silent: number; readonly inHand: number }[]>;
  readonly gas: () => Promise<GasState>;
  /** What relays for wallets of unproven code burnt beyond their simulations, and the most that they may. */
  readonly relays: () => Promise<{ readonly spent: bigint; readonly limit: bigint }>;
  /** The imported lists of registers, by how they stand. */
  readonly registers: () => Promise<readonly { readonly list: string; readonly state: string }[]>;
  /** Of each chain that is read, by both readers. */
  readonly heads: () => Promise<readonly (ReaderHead & { readonly chain: string })[]>;
  /** `balance` is in whole coins. */
  readonly signers: () => Promise<
    readonly { readonly chain: string; readonly role: string; readonly balance: number }[]
  >;
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of one process, in a registry of its own. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const mailboxes = new Histogram({
    name: 'handshake_mailbox_batch_seconds',
    help: 'How long mailbox batches took, from the wake-up to what was written.',
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
      mailbox: (kind, outcome, s) => mailboxes.observe({ kind, outcome }, s),
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
  const deadLettered = gauge('dead_letter_events', 'Events that became dead letters after their tries.');
  const oldestDeadLetter = gauge(
    'oldest_dead_letter_seconds',
    'Age of the oldest dead letter, event or effect; 0 where none is.',
  );
  const undelivered = gauge('webhooks_waiting', 'Webhooks that wait to be taken.');
  const oldestWebhook = gauge(
    'oldest_undelivered_webhook_seconds',
    'Age of the oldest webhook that nobody has taken; 0 where there is none.',
  );
  const givenUp = gauge('webhooks_given_up', 'Webhooks that were given up after their tries.');
  const standing = gauge('effects', 'Effects that are not done, by kind and status.', ['kind', 'status']);
  const aside = gauge('quarantined', 'What periodic tasks set aside because it failed, by kind.', ['kind']);
  const workers = gauge('workers', 'Workers that were heard of within ten seconds.');
  const inHand = gauge('effects_in_hand', 'Effects under way in workers that were heard of.');
  const balance = gauge('signer_balance_coins', 'Gas money of the keys that pay for it.', ['chain', 'role']);
  const ofReader = ['chain', 'reader'];
  const headAge = gauge('chain_head_age_seconds', 'Age of the head that a reader tells.', ofReader);
  const ready = gauge('chain_reader_ready', 'Whether a reader answers, at the present block.', ofReader);
  const gasSpent = gauge(
    'settlement_gas_spent',
    'Gas that failed settlements cost and that has not drained.',
    ['payer'],
  );
  const gasLeft = gauge('settlement_gas_left', 'Gas that failed settlements may still cost.', ['payer']);
  const gasFailed = gauge('settlements_failed', 'Settlements that failed, ever.', ['payer']);
  const gasExhausted = gauge(
    'settlement_gas_exhausted',
    'Whether a class of payers, or how many codes, are exhausted.',
    ['payer'],
  );
  const relaySpent = gauge('relay_gas_spent', 'Gas that relays burnt beyond their simulations.');
  const relayLeft = gauge('relay_gas_left', 'Gas that relays may still burn beyond their simulations.');
  const lists = gauge(
    'register_list',
    'Imported lists by state (fresh, stale, undated, short, failing, missing); 1 for the one that it is in.',
    ['list', 'state'],
  );
  // What has labels is shown for those that were set since; what has none is 0 until it is taken out.
  const plain = new Set([
    ...[unserved, oldest, deadLettered, oldestDeadLetter, workers, inHand],
    ...[undelivered, oldestWebhook, givenUp, relaySpent, relayLeft],
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
      guarded([unserved, oldest, deadLettered, oldestDeadLetter, standing], r.backlog, (b) => {
        unserved.set(b.unservedEvents);
        oldest.set(b.oldestUnserved ?? 0);
        deadLettered.set(b.deadLetterEvents);
        oldestDeadLetter.set(b.oldestDeadLetter ?? 0);
        for (const { kind, status, count } of b.effects) standing.set({ kind, status }, count);
      }),
    (r) =>
      guarded([undelivered, oldestWebhook, givenUp], r.webhooks, (w) => {
        undelivered.set(w.waiting);
        oldestWebhook.set(w.oldest ?? 0);
        givenUp.set(w.givenUp);
      }),
    (r) =>
      guarded([aside], r.quarantine, (list) => {
        for (const { kind, count } of list) aside.set({ kind }, count);
      }),
    (r) =>
      guarded([workers, inHand], r.workers, (list) => {
        const live = list.filter(serves);
        workers.set(live.length);
        inHand.set(live.reduce((sum, w) => sum + w.inHand, 0));
      }),
    (r) =>
      guarded([gasSpent, gasLeft, gasFailed, gasExhausted], r.gas, ({ classes, exhaustedCodes }) => {
        for (const { kind: payer, spentGas, leftGas, failed, exhausted } of classes) {
          gasSpent.set({ payer }, spentGas);
          gasFailed.set({ payer }, failed);
          if (leftGas === null) continue;
          gasLeft.set({ payer }, leftGas);
          gasExhausted.set({ payer }, exhausted ? 1 : 0);
        }
        gasExhausted.set({ payer: 'code' }, exhaustedCodes.length);
      }),
    (r) =>
      guarded([relaySpent, relayLeft], r.relays, ({ spent, limit }) => {
        relaySpent.set(Number(spent));
        relayLeft.set(Number(spent < limit ? limit - spent : 0n));
      }),
    (r) =>
      guarded([lists], r.registers, (all) => {
        for (const { list, state } of all) lists.set({ list, state }, 1);
      }),
    (r) =>
      guarded([headAge, ready], r.heads, (list) => {
        for (const { chain, reader, ageSeconds, fault } of list) {
          ready.set({ chain, reader }, fault === null ? 1 : 0);
          if (ageSeconds !== null) headAge.set({ chain, reader }, ageSeconds);
        }
      }),
    (r) =>
      guarded([balance], r.signers, (list) => {
        for (const { chain, role, balance: coins } of list) balance.set({ chain, role }, coins);
      }),
  ];
}

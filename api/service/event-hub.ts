import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../store/database.ts';
import { eventBounds, eventsAfter, sequenceEvents } from '../../store/records/public-events.ts';
import { resetFrame, type ToWire, type WireEvent, withoutStoppedPrices } from './event-wire.ts';

/** Which events a connection wants; null means every event. */
export type Wants = ((event: WireEvent) => boolean) | null;

export interface EventHub {
  /**
   * Adds a connection. It gets events from now on, or first those after the last id that it saw.
   * @param after null: from now on; -1: the client sent an id that this service never gave out, and gets a reset
   */
  join(out: Writable, from: { after: bigint | null; wants: Wants }): Promise<void>;
  listeners(): number;
  /** Ends every stream and refuses new ones. */
  close(): Promise<void>;
}

export interface HubDeps {
  readonly db: Database;
  readonly toWire: ToWire;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  /** How often the database is read while there are listeners. */
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  /** How long a listener may take to read what was sent before it is dropped. */
  readonly patienceMs?: number;
}

interface Listener {
  readonly out: Writable;
  readonly wants: Wants;
  /** The last event that it was sent, or that was skipped because it does not want it. */
  at: bigint;
  /** True while it gets new events as they come; false while it is still catching up. */
  live: boolean;
}

const PAGE = 500;
/** How many recent events are kept in memory, for listeners that reconnect after a moment. */
const AT_HAND = 2_000;
/** How many listeners are served before other work of this process gets its turn. */
const IN_ONE_GO = 500;
const CLOSE_MS = 1_000;
/** After a page of what was missed as many times as long as it took is left to other work. */
const REST = 3;

/**
 * Reads the database once for all listeners. A slow listener delays nobody and no queue grows for it: it gets nothing
 * more until it has read what was sent, is dropped when that takes too long, and catches up by its last id when it
 * reconnects.
 */
export function eventHub(deps: HubDeps): EventHub {
  const { db, toWire, log, pollMs = 200, heartbeatMs = 15_000, patienceMs = 10_000 } = deps;
  const listeners = new Set<Listener>();
  let recent: WireEvent[] = [];
  /** The id of the last event that was read. */
  let position = 0n;
  /** The polling loop; null when the last round found no listeners. */
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let beat = 0;
  let closed = false;
  /** The last page of what a listener missed that is being read, and the rest after it. */
  let page: Promise<unknown> = Promise.resolve();

  /**
   * Reads the newest events, so that those who come back after this process was started anew need not wait for each other.
   * What is at hand since the last listener went stays so, unless the next after it is not kept.
   */
  async function start(): Promise<void> {
    await sequenceEvents(db);
    const { oldest, last } = await eventBounds(db);
    const first = last - BigInt(AT_HAND);
    if (position < oldest - 1n || position < first || position > last) {
      recent = [];
      position = first < oldest ? oldest - 1n : first;
    }
    await round();
    beat = performance.now();
    timer = setTimeout(look, pollMs);
  }

  async function look(): Promise<void> {
    try {
      await round();
      if (performance.now() - beat >= heartbeatMs) await heartbeat();
    } catch (error) {
      log.warn({ error: String(error) }, 'events could not be read');
    }
    if (closed) return;
    if (listeners.size > 0) timer = setTimeout(look, pollMs);
    else running = null;
  }

  async function round(): Promise<void> {
    await sequenceEvents(db);
    for (;;) {
      const events = await eventsAfter(db, position, PAGE);
      const last = events.at(-1);
      if (!last) return;
      const fresh = events.map(toWire);
      recent = [...withoutStoppedPrices(recent, fresh), ...fresh].slice(-AT_HAND);
      position = last.id;
      await each((listener) => listener.live && give(listener));
      if (events.length < PAGE) return;
    }
  }

  async function heartbeat(): Promise<void> {
    beat = performance.now();
    await each(({ out, at, live }) => {
      if (out.writableNeedDrain || out.destroyed) return;
      // The heartbeat carries the id, so that a listener that wants few events can resume from here, too. Who still waits
      // for what it missed stays where it is.
      out.write(live ? told(at) : ': \n\n');
    });
  }

  async function each(act: (listener: Listener) => void): Promise<void> {
    let n = 0;
    for (const listener of [...listeners]) {
      act(listener);
      if (++n % IN_ONE_GO === 0) await breathe();
    }
  }

  /** The events after `at` that are in memory; null when the next one no longer is. */
  function atHand(at: bigint): readonly WireEvent[] | null {
    const first = recent[0];
    if (!first || at + 1n < first.id) return null;
    return recent.slice(Number(at + 1n - first.id));
  }

  function give(listener: Listener): void {
    if (!listener.out.writableNeedDrain) write(listener, atHand(listener.at) ?? []);
    if (listener.at < position) void catchUp(listener);
  }

  /**
   * Writes as many of these events as the stream's buffer holds, but at least one. Only called when the buffer has
   * room.
   */
  function write(listener: Listener, events: readonly WireEvent[]): void {
    const { out, wants } = listener;
    const frames: Buffer[] = [];
    let bytes = out.writableLength;
    for (const event of events) {
      if (frames.length > 0 && bytes >= out.writableHighWaterMark) break;
      listener.at = event.id;
      if (wants !== null && !wants(event)) continue;
      frames.push(event.frame);
      bytes += event.frame.length;
    }
    if (frames.length > 0 && !out.destroyed)
      out.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  /** Sends a listener what it has missed, as fast as it reads, and then makes it live. */
  async function catchUp(listener: Listener): Promise<void> {
    const { out } = listener;
    listener.live = false;
    let isFarBehind = false;
    try {
      while (listener.at < position && !out.destroyed) {
        if (out.writableNeedDrain && !(await drained(out))) {
          log.info({ at: String(listener.at) }, 'a listener was dropped that does not take its events');
          out.destroy();
          return;
        }
        const near = atHand(listener.at);
        const events = near ?? (await inTurn(() => missed(listener)));
        if (out.destroyed) return;
        if ((events[0]?.id ?? 0n) !== listener.at + 1n) await reset(listener);
        else write(listener, events);
        // Where it wants none of them, it learns how far it is, and takes that before it is given the next.
        isFarBehind ||= near === null;
        if (isFarBehind && !out.destroyed) out.write(told(listener.at));
      }
      listener.live = true;
    } catch (error) {
      log.warn({ error: String(error) }, 'a listener could not be given what it missed');
      out.destroy();
    }
  }

  /**
   * Whoever asks for days of events reads much for nothing, above all by a filter that no event passes. One page is read at a
   * time for all of them, and the process has the most of its time for others.
   */
  async function inTurn<T>(read: () => Promise<T>): Promise<T> {
    const mine = page.then(async () => {
      const began = performance.now();
      return { read: await read(), tookMs: performance.now() - began };
    });
    page = mine.then(
      ({ tookMs }) => sleep(REST * tookMs, undefined, { ref: false }),
      () => {},
    );
    return (await mine).read;
  }

  async function missed({ at, out }: Listener): Promise<readonly WireEvent[]> {
    if (out.destroyed) return [];
    return (await eventsAfter(db, at, PAGE)).map(toWire);
  }

  async function drained(out: Writable): Promise<boolean> {
    const patience = AbortSignal.timeout(patienceMs);
    const over = new AbortController();
    const signal = AbortSignal.any([patience, over.signal]);
    await Promise.race([once(out, 'drain', { signal }), once(out, 'close', { signal })]).catch(() => {});
    over.abort();
    return !patience.aborted && !out.destroyed;
  }

  async function reset(listener: Listener): Promise<void> {
    const { oldest, last } = await eventBounds(db);
    const reason = listener.at < oldest - 1n && listener.at >= 0n ? 'too-old' : 'unknown';
    listener.at = last;
    listener.out.write(resetFrame({ reason, oldest: String(oldest), latest: String(last) }));
  }

  return {
    listeners: () => listeners.size,

    async join(out, { after, wants }) {
      if (closed) {
        out.end();
        return;
      }
      running ??= start();
      const listener: Listener = { out, wants, at: position, live: false };
      listeners.add(listener);
      out.once('close', () => listeners.delete(listener));
      try {
        await running;
      } catch (error) {
        running = null;
        listeners.delete(listener);
        throw error;
      }
      listener.at = after ?? position;
      out.write(`: listening\nretry: 3000\n${after === null ? `id: ${position}\n` : ''}\n`);
      // Usually the client reconnects after a moment, and its events are still in memory: then the database is not
      // asked.
      if (after !== null && (after > position || atHand(after) === null)) {
        const { oldest, last } = await eventBounds(db);
        if (after < oldest - 1n || after > last) await reset(listener);
      }
      await catchUp(listener);
    },

    async close() {
      closed = true;
      clearTimeout(timer);
      const ended = [...listeners].map(async ({ out }) => {
        out.end(': closing\n\n');
        if (!out.closed) await once(out, 'close', { signal: AbortSignal.timeout(CLOSE_MS) }).catch(() => {});
        out.destroy();
      });
      await Promise.all(ended);
    },
  };
}

/** A comment with the id to go on from. */
function told(at: bigint): string {
  return `: \nid: ${at}\n\n`;
}

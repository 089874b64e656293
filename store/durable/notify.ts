import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, dedicatedClient, type Trx } from '../database.ts';

/** Notifies everyone who waits on `channel`, when the transaction commits. */
export async function notify(trx: Trx, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(trx);
}

/** One listening connection for each database, as long as somebody waits. */
interface Listener {
  readonly client: Promise<pg.Client>;
  /** The commands of several waits, one after the other. */
  commands: Promise<unknown>;
  waiting: number;
  readonly wake: Map<string, Set<() => void>>;
}

const listeners = new WeakMap<Database, Listener>();

/**
 * Waits until `check` returns something. It listens before the first check, so that nothing in between is missed. A poll
 * covers a notification or a connection that was lost.
 * @returns null when the time is over
 * @throws what `check` throws, and the signal's reason once it is aborted
 */
export async function waitFor<T>(
  db: Database,
  channel: string,
  check: () => Promise<T | null>,
  options: { timeoutMs: number; signal?: AbortSignal; pollMs?: number },
): Promise<T | null> {
  const { timeoutMs, signal, pollMs = 250 } = options;
  const deadline = performance.now() + timeoutMs;
  const { next, release } = await listen(db, channel);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const woken = next();
      const found = await check();
      if (found !== null) return found;
      const left = deadline - performance.now();
      if (left <= 0) return null;
      const over = new AbortController();
      const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
      // An abort ends the pause early; the next round throws its reason.
      const pause = sleep(Math.min(pollMs, left), undefined, { signal: either }).catch(() => {});
      await Promise.race([woken, pause]);
      over.abort();
    }
  } finally {
    await release();
  }
}

async function listen(
  db: Database,
  channel: string,
): Promise<{ next: () => Promise<void>; release: () => Promise<void> }> {
  let listener = listeners.get(db);
  if (!listener) {
    const wake: Listener['wake'] = new Map();
    const client = dedicatedClient(db).then((connected) => {
      connected.on('notification', (n) => {
        for (const call of wake.get(n.channel) ?? []) call();
      });
      return connected;
    });
    listener = { client, commands: client, waiting: 0, wake };
    listeners.set(db, listener);
  }
  const mine = listener;
  mine.waiting += 1;
  let woken = false;
  let resolve: (() => void) | null = null;
  const call = (): void => {
    woken = true;
    resolve?.();
  };
  const calls = mine.wake.get(channel) ?? new Set();
  mine.wake.set(channel, calls.add(call));
  const release = async (): Promise<void> => {
    calls.delete(call);
    mine.waiting -= 1;
    if (mine.waiting > 0) return;
    if (listeners.get(db) === mine) listeners.delete(db);
    await mine.client.then((client) => client.end()).catch(() => {});
  };
  try {
    const client = await mine.client;
    const command = (): Promise<unknown> => client.query(`listen ${pg.escapeIdentifier(channel)}`);
    mine.commands = mine.commands.then(command, command);
    await mine.commands;
  } catch (error) {
    await release();
    throw error;
  }
  return {
    // A notification that came since the last round counts for this one.
    next: () =>
      new Promise<void>((wakeUp) => {
        resolve = wakeUp;
        if (woken) wakeUp();
        woken = false;
      }),
    release,
  };
}

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { PRIVATE_FOLDER, replacePrivately } from '../../config/private-file.ts';
import type { Session } from './sessions.ts';

/** An event in the form that webhooks carry. */
export interface CardEventObject {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly type: string;
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly data: { readonly object: Record<string, unknown> };
}

/** An event that is not acknowledged yet. Times are in milliseconds since 1970. */
export interface Delivery {
  readonly eventId: string;
  readonly since: number;
  attempts: number;
  nextAt: number;
}

interface Replay {
  readonly body: string;
  readonly answer: Record<string, unknown>;
  readonly at: number;
}

export interface CardState {
  readonly version: 1;
  /** The port of the last run, so that payment pages keep their address. */
  port: number;
  sessions: Record<string, Session>;
  events: CardEventObject[];
  deliveries: Delivery[];
  /** First answers by idempotency key. */
  replays: Record<string, Replay>;
}

const KEPT = 500;
const REPLAY_MS = 24 * 60 * 60_000;

/** @throws Error when the file exists and this processor did not write it: payments are never discarded silently */
export async function openCardState(dataDir: string): Promise<Low<CardState>> {
  mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
  const file = join(dataDir, 'card-processor.json');
  try {
    const db = new Low<CardState>(privateJson(file), {
      version: 1,
      port: 0,
      sessions: {},
      events: [],
      deliveries: [],
      replays: {},
    });
    await db.read();
    if (db.data.version !== 1) throw new Error(`its version is ${String(db.data.version)}`);
    return db;
  } catch (cause) {
    throw new Error(`${file} cannot be read: put it right, or move it away to begin anew`, { cause });
  }
}

/**
 * Writes JSON that only this user may read, since it says who paid for what. The library's own adapter writes files
 * that everybody can read.
 */
function privateJson(file: string): Adapter<CardState> {
  return {
    read: async () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CardState) : null),
    write: async (state) => replacePrivately(file, JSON.stringify(state, null, 2)),
  };
}

/** Deletes what nobody will ask for: old answers, and ended sessions and events beyond the newest 500. */
export function prune(state: CardState, now: number): void {
  for (const [key, replay] of Object.entries(state.replays)) {
    if (replay.at + REPLAY_MS < now) delete state.replays[key];
  }
  const pending = new Set(state.deliveries.map((d) => d.eventId));
  const over = Math.max(0, state.events.length - KEPT);
  state.events = state.events.filter((event, i) => i >= over || pending.has(event.id));
  const ended = Object.values(state.sessions).filter((s) => s.status !== 'open');
  for (const session of ended.slice(0, Math.max(0, ended.length - KEPT))) delete state.sessions[session.id];
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { assign, setup } from 'xstate';
import { openDatabase } from '../../store/database.ts';
import { startPostgres } from '../../store/embedded.ts';
import { migrate } from '../../store/migrate.ts';
import type { DurableMachine } from './actors/durable-machine.ts';
import { spawnActor } from './actors/spawn.ts';
import type { EffectRunner } from './jobs/effect.ts';
import { openWakeQueue } from './queue/bullmq.ts';
import { startWorker } from './workers/worker.ts';

/**
 * A countdown that survives its process: `npx tsx runtime/durable/example.ts`. It starts an embedded Postgres, runs a
 * worker process, kills it in the middle of the countdown, and starts another one, which counts on from there.
 */
const FROM = 6;
const KILLED_AT = 4;

const machine = setup({
  types: {} as { context: { left: number }; events: { type: 'PRINTED' } },
  actions: {
    // An effect: it runs in a worker after the commit, and never inside the machine.
    print: (_, _params: { left: number }) => {
      throw new Error('a worker runs this effect');
    },
  },
}).createMachine({
  context: { left: FROM },
  initial: 'counting',
  states: {
    counting: {
      entry: { type: 'print', params: ({ context }) => ({ left: context.left }) },
      on: {
        PRINTED: [{ guard: ({ context }) => context.left === 1, target: 'over' }, { target: 'pausing' }],
      },
    },
    pausing: {
      after: { 200: { target: 'counting', actions: assign({ left: ({ context }) => context.left - 1 }) } },
    },
    over: { type: 'final' },
  },
});

const countdown: DurableMachine = {
  kind: 'countdown',
  version: 1,
  logic: machine,
  effects: ['print'],
  validate(snapshot) {
    if (typeof (snapshot as { context?: { left?: unknown } }).context?.left !== 'number')
      throw new Error('a countdown without context.left');
  },
  migrate: {},
};

/** Prints at least once: a process that is killed between the line and its done mark prints the line again. */
const print: EffectRunner = {
  kind: 'print',
  lane: 'default',
  maxAttempts: 3,
  async run({ params }) {
    process.stdout.write(`${params.left}\n`);
    return { event: { type: 'PRINTED' } };
  },
};

/** The process that is killed and replaced: it serves whatever it finds in the database. */
async function work(databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl);
  const log = pino({ level: 'error' }, pino.destination(2));
  const now = () => new Date();
  const notifier = await openWakeQueue({ databaseUrl, redisUrl: null, log });
  const worker = await startWorker({
    db,
    notifier,
    log,
    now,
    machines: new Map([[countdown.kind, countdown]]),
    runners: new Map([[print.kind, print]]),
    crash: () => {},
    sweepMs: 100,
    leaseMs: 1_000,
  });
  // A second process with the same key finds the actor there and changes nothing.
  const id = await db
    .transaction()
    .execute((trx) => spawnActor(trx, countdown, { key: 'one', input: {}, now: now() }));
  notifier.actor(id);
  for (;;) {
    const actor = await db
      .selectFrom('actors')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (actor.status === 'done') break;
    await sleep(50);
  }
  await worker.stop();
  await notifier.close();
  await db.destroy();
}

/** Runs a worker process. With `killAt` it is killed as soon as it has printed that number. */
async function runProcess(databaseUrl: string, killAt?: number): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    if (killAt !== undefined && text.split('\n').includes(String(killAt))) child.kill('SIGKILL');
  });
  const [code] = await once(child, 'close');
  process.stdout.write(code === 0 ? 'the countdown is over\n' : 'the process was killed\n');
}

const [given] = process.argv.slice(2);
if (given !== undefined) await work(given);
else {
  const dataDir = mkdtempSync(join(tmpdir(), 'durable-example-'));
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, randomHex: (bytes) => randomBytes(bytes).toString('hex') });
  try {
    await migrate(server.url);
    await runProcess(server.url, KILLED_AT);
    await runProcess(server.url);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

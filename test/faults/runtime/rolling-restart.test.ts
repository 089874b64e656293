import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Secrets } from '../../../runtime/config/secrets.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { type Balancer, balancer } from '../../fixtures/servers/balancer.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';

/** Two APIs behind a balancer that asks `/health`. One of them is told to end while both are under load. */

vi.setConfig({ testTimeout: 300_000 });

const API_ONLY = ['up', '--no-worker'];
const CALLERS = 8;
const ASKED: readonly (readonly [path: string, status: number])[] = [
  ['/catalogue', 200],
  ['/matches', 200],
  ['/agents/directory', 200],
  ['/determination?address=0x71C7656EC7ab88b098defB751B7401B5f6d8976F&chainId=1002', 402],
];
const LONG = { timeout: 120_000, interval: 50 };

let database: TestDatabase;
let folder: ServiceFolder;
let others: string;
let staying: ServiceProcess;
let leaving: ServiceProcess;
let leavingAt: string;
let front: Balancer;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), serviceFolder()]);
  others = mkdtempSync(join(tmpdir(), 'handshake-leaving-'));
  staying = await folder.start({ DATABASE_URL: database.url }, API_ONLY);
  const port = await freePort();
  leavingAt = `http://127.0.0.1:${port}`;
  leaving = folder.attempt(besideIt(port), undefined, API_ONLY);
  await vi.waitFor(() => expect(leaving.output()).toContain('is up after'), { timeout: 300_000 });
  front = await balancer([staying.baseUrl, leavingAt]);
});
afterAll(async () => {
  await front?.stop();
  await folder?.remove();
  await database?.drop();
  rmSync(others, { recursive: true, force: true });
});

/** The settings of a second API on the same database and chains. */
function besideIt(port: number): Record<string, string> {
  const { chains } = findRunning(folder.dataDir)!;
  const secrets = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8')) as Secrets;
  for (const file of ['deployment-1002.json', 'deployment-84532.json'])
    copyFileSync(join(folder.dataDir, file), join(others, file));
  return {
    DATABASE_URL: database.url,
    DATA_DIR: others,
    PORT: String(port),
    RPC_URL_1002: chains['1002']!.rpcUrl,
    RPC_URL_84532: chains['84532']!.rpcUrl,
    SESSION_KEY_SEED: secrets.sessionKeySeed,
    OPERATOR_PRIVATE_KEY: secrets.operatorPrivateKey,
    FACILITATOR_PRIVATE_KEY: secrets.facilitatorPrivateKey,
    // Longer than a busy machine takes to ask once.
    DRAIN_SECONDS: '12',
    REQUEST_TIMEOUT_SECONDS: '240',
    IDLE_TIMEOUT_SECONDS: '240',
  };
}

/** Callers that ask again as soon as they were answered. @returns how to end them, with every answer that was wrong */
function load(): { answered: () => number; end: () => Promise<readonly string[]> } {
  const wrong: string[] = [];
  let [answered, over] = [0, false];
  const call = async (at: number): Promise<void> => {
    for (let i = at; !over; i++) {
      const [path, status] = ASKED[i % ASKED.length]!;
      try {
        const answer = await fetch(`${front.url}${path}`);
        const body = await answer.text();
        if (answer.status !== status) wrong.push(`${path}: ${answer.status} ${body.slice(0, 200)}`);
      } catch (error) {
        wrong.push(`${path}: ${String((error as Error).cause ?? error)}`);
      }
      answered++;
    }
  };
  const calls = Array.from({ length: CALLERS }, (_, at) => call(at));
  return {
    answered: () => answered,
    async end() {
      over = true;
      await Promise.all(calls);
      return wrong;
    },
  };
}

/** A request whose body is yet to come. @returns sends the rest, and resolves with the line of the status */
async function begun(at: string): Promise<() => Promise<string>> {
  const body = JSON.stringify({ address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', chainId: 1002 });
  const { hostname, port } = new URL(at);
  const socket: Socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await once(socket, 'connect');
  const head = [
    'POST /determination HTTP/1.1',
    `host: ${hostname}:${port}`,
    'content-type: application/json',
  ];
  socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
  return async () => {
    socket.write(body.slice(10));
    await once(socket, 'close');
    return answer.split('\r\n')[0]!;
  };
}

describe('an API that gets SIGTERM', () => {
  it('fails no request: it says so, serves until the balancer has seen it, finishes what it began, and ends', async () => {
    const calls = load();
    await vi.waitFor(() => expect(front.answered(leavingAt)).toBeGreaterThan(40), LONG);
    const finish = await begun(leavingAt);
    leaving.kill('SIGTERM');

    await vi.waitFor(async () => {
      const health = await fetch(`${leavingAt}/health`);
      expect([health.status, (await health.json()).status]).toEqual([503, 'leaving']);
    }, LONG);
    // Over a connection of its own, as one who has not heard of it yet.
    const late = await fetch(`${leavingAt}/catalogue`);
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
    await vi.waitFor(() => expect(front.serving()).toEqual([staying.baseUrl]), LONG);

    const refused = async () =>
      await expect(fetch(`${leavingAt}/catalogue`)).rejects.toMatchObject({
        cause: { code: 'ECONNREFUSED' },
      });
    await vi.waitFor(refused, LONG);
    expect(await finish()).toBe('HTTP/1.1 402 Payment Required');
    expect(await leaving.ended).toBe(0);

    const so = calls.answered();
    await vi.waitFor(() => expect(calls.answered()).toBeGreaterThan(so + 40), LONG);
    expect(await calls.end()).toEqual([]);
    expect(leaving.errors()).toBe('');
  });
});

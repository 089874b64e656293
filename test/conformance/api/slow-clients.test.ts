import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../api/http/app.ts';
import { server } from './server-fixture.ts';

/** What a client that takes its time gets: an answer, and the end of its connection. Every wait here is for an end. */

interface Client {
  /** Sends bytes as they are. */
  send(bytes: string): void;
  /** All that came, once it holds this. */
  heard(text: string): Promise<string>;
  /** All that came until the other side closed. */
  readonly closed: Promise<string>;
}

const open = new Set<Socket>();

async function client(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  open.add(socket);
  let text = '';
  const waiting = new Set<() => void>();
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    text += String(chunk);
    for (const look of waiting) look();
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    send: (bytes) => void socket.write(bytes),
    heard: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (!text.includes(wanted)) return;
          waiting.delete(look);
          resolve(text);
        };
        waiting.add(look);
        look();
      }),
    closed,
  };
}

const head = (length: number): string =>
  `POST /probe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;
const body = '{"name":"slow"}';

async function listening(options: Parameters<typeof server>[0]): Promise<{ app: App; port: number }> {
  const app = await server(options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as { port: number }).port };
}

describe('a client that takes its time', () => {
  let hasty: { app: App; port: number };
  let strict: { app: App; port: number };
  beforeAll(async () => {
    // One gives the handler's time limit first, the other the connection's own.
    hasty = await listening({
      handlerTimeoutMs: 300,
      timeouts: { requestMs: 60_000, headersMs: 60_000, idleMs: 60_000 },
    });
    strict = await listening({ timeouts: { requestMs: 800, headersMs: 400, idleMs: 60_000 } });
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await Promise.all([hasty?.app.close(), strict?.app.close()]);
  });

  it('over the body is answered 503 when its time is up, and loses the connection with it', async () => {
    const slow = await client(hasty.port);
    slow.send(`${head(60_000)}\r\n{"name":`);
    const text = await slow.closed;
    expect(text).toMatch(/^HTTP\/1\.1 503 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toContain('"code":"timeout"');
  });

  it('over the body of a second request on a kept connection loses it as well', async () => {
    const slow = await client(hasty.port);
    slow.send(`${head(body.length)}\r\n${body}`);
    await slow.heard('"name":"slow"');
    slow.send(`${head(60_000)}\r\n{"name":`);
    expect(await slow.closed).toMatch(/HTTP\/1\.1 201 [\s\S]*HTTP\/1\.1 503 /);
  });

  it('over the body, a byte at a time, is told 408 and loses the connection', async () => {
    const slow = await client(strict.port);
    slow.send(`${head(60_000)}\r\n{`);
    const drip = setInterval(() => slow.send(' '), 50);
    try {
      expect(await slow.closed).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(drip);
    }
  });

  it('over the headers, a byte at a time, loses the connection, also on a kept one', async () => {
    for (const before of ['', `${head(body.length)}\r\n${body}`]) {
      const slow = await client(strict.port);
      slow.send(before);
      if (before !== '') await slow.heard('"name":"slow"');
      slow.send('GET /probe HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      const drip = setInterval(() => slow.send('a'), 50);
      try {
        expect(await slow.closed).toContain('HTTP/1.1 408 ');
      } finally {
        clearInterval(drip);
      }
    }
  });

  it('over a body that nobody waits for, because the request was answered already, loses the connection', async () => {
    const slow = await client(strict.port);
    slow.send(head(60_000).replace('/probe', '/nowhere').replace('application/json', 'text/odd'));
    slow.send('\r\n{');
    const drip = setInterval(() => slow.send(' '), 50);
    try {
      expect(await slow.closed).toMatch(/^HTTP\/1\.1 4\d\d /);
    } finally {
      clearInterval(drip);
    }
  });

  it('that says nothing at all loses the connection', async () => {
    const silent = await client(strict.port);
    await silent.closed;
  });

  it('and sends in time is served as ever', async () => {
    const quick = await client(strict.port);
    quick.send(`${head(body.length)}\r\n${body}`);
    expect(await quick.heard('"name":"slow"')).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('what Node cannot read as a request', () => {
  it.each([
    [
      'headers of 40 kB',
      `GET /probe HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
      431,
      'too-large',
    ],
    ['no HTTP', 'hello\r\n\r\n', 400, 'bad-request'],
  ])('is answered by a problem, and loses the connection: %s', async (_, bytes, status, code) => {
    const { app, port } = await listening({});
    try {
      const odd = await client(port);
      odd.send(bytes);
      const [head, problem] = (await odd.closed).split('\r\n\r\n') as [string, string];
      expect(head).toContain(`HTTP/1.1 ${status} `);
      expect(head).toContain('content-type: application/problem+json');
      expect(JSON.parse(problem)).toMatchObject({
        status,
        code,
        type: expect.stringContaining(`/errors/${code}`),
      });
    } finally {
      await app.close();
    }
  });

  it('is not a header of 30 kB, as a long signature makes it', async () => {
    const { app, port } = await listening({});
    try {
      const headers = { 'payment-signature': 'a'.repeat(30_000) };
      expect((await fetch(`http://127.0.0.1:${port}/nowhere`, { headers })).status).toBe(404);
    } finally {
      await app.close();
    }
  });
});

it('a connection on which nothing moves is closed', async () => {
  const { app, port } = await listening({
    timeouts: { requestMs: 60_000, headersMs: 60_000, idleMs: 200 },
  });
  try {
    const idle = await client(port);
    idle.send(`${head(body.length)}\r\n${body}`);
    expect(await idle.closed).toMatch(/^HTTP\/1\.1 201 /);
  } finally {
    await app.close();
  }
});

import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type Profiler, Session } from 'node:inspector';
import pg from 'pg';

/**
 * Loaded before the service under measure. It counts the process's queries and takes its CPU profile, and is asked over
 * the local socket that BENCH_CONTROL names. Child processes inherit the setting; the first that listens has it.
 */
const socket = process.env.BENCH_CONTROL;
const profiler = new Session();
let queries = 0;

/** Every query that a connection is given, by the service or by a library of it. */
function countQueries(): void {
  const { prototype } = pg.Client;
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...asked: unknown[]) {
    queries += 1;
    return Reflect.apply(query, this, asked);
  } as typeof query;
}

const post = (method: string, params: object = {}): Promise<object | undefined> =>
  new Promise((resolve, reject) =>
    profiler.post(method, params, (error: Error | null, result?: object) =>
      error === null ? resolve(result) : reject(error),
    ),
  );

async function answer(path: string, body: string): Promise<string> {
  if (path === '/queries') return String(queries);
  if (path === '/profile/start') {
    await post('Profiler.enable');
    await post('Profiler.start');
    return '';
  }
  const told = (await post('Profiler.stop')) as Profiler.StopReturnType;
  writeFileSync(body, JSON.stringify(told.profile));
  return body;
}

if (socket !== undefined) {
  countQueries();
  profiler.connect();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () =>
      answer(request.url ?? '', body).then(
        (text) => response.end(text),
        (error) => response.writeHead(500).end(String(error)),
      ),
    );
  });
  server.on('error', () => {});
  server.listen(socket, () => process.once('exit', () => rmSync(socket, { force: true })));
  server.unref();
}

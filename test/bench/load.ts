import { connect, type Socket } from 'node:net';
import { quantile } from './row.ts';

/**
 * Run as a child process: one GET again and again on kept connections; prints what it measured as JSON. `{n}` in the
 * address is another number for each connection.
 */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const [, , target = '', connections = '32', milliseconds = '1500', status = '200'] = process.argv;
const url = new URL(target);
const path = target.slice(url.origin.length);
const requestOf = (n: number): Buffer =>
  Buffer.from(
    `GET ${path.replace('{n}', String(n))} HTTP/1.1\r\nhost: ${url.host}\r\naccept: application/json\r\n\r\n`,
  );
const HEAD_END = Buffer.from('\r\n\r\n');
const taken: number[] = [];
const until = performance.now() + Number(milliseconds);

/** Speaks HTTP/1.1 by hand: a full client would cost more than the server that is measured. */
function caller(n: number): Promise<void> {
  const request = requestOf(n);
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let read = Buffer.alloc(0);
    let started = 0;
    const ask = (): void => {
      if (performance.now() >= until) {
        socket.end();
        resolve();
        return;
      }
      started = performance.now();
      socket.write(request);
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      read = read.length === 0 ? bytes : Buffer.concat([read, bytes]);
      const end = read.indexOf(HEAD_END);
      if (end < 0) return;
      const head = read.toString('latin1', 0, end).toLowerCase();
      if (!head.startsWith(`http/1.1 ${status}`)) {
        reject(new Error(`answered ${head.split('\r\n')[0]}`));
        return;
      }
      const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
      if (length === undefined) reject(new Error('the answer tells no length'));
      else if (read.length >= end + 4 + Number(length)) {
        read = Buffer.alloc(0);
        taken.push(performance.now() - started);
        ask();
      }
    });
  });
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, (_, n) => caller(n)));
const load: Load = {
  requests: taken.length,
  perSecond: taken.length / ((performance.now() - started) / 1000),
  p50Ms: quantile(taken, 0.5),
  p99Ms: quantile(taken, 0.99),
};
console.log(JSON.stringify(load));

import { connect, type Socket } from 'node:net';

/**
 * Run as a child process: so many streams of events by bare sockets, for a full client would cost more than the server
 * that is measured. Prints a line once all listen, one once all have heard so many events, and one when asked to end:
 * how many were cut off.
 */
const [, , target = '', streams = '100', events = '10'] = process.argv;
const url = new URL(target);
const [count, wanted] = [Number(streams), Number(events)];
const request = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
const AT_ONCE = 200;
/** When an event was told stands in it. */
const TOLD = /told-(\d+)/g;

const sockets: Socket[] = [];
const delays: number[] = [];
let complete = 0;
let cut = 0;

function listen(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    sockets.push(socket);
    let heard = 0;
    let rest = '';
    socket.on('connect', () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () => cut++);
    socket.on('data', (bytes) => {
      const text = rest + bytes.toString('latin1');
      const end = text.lastIndexOf('\n\n') + 2;
      rest = text.slice(end);
      const whole = text.slice(0, end);
      if (whole.includes(': listening')) resolve();
      const now = Date.now();
      for (const [, told] of whole.matchAll(TOLD)) {
        heard += 1;
        delays.push(now - Number(told));
        if (heard === wanted && ++complete === count) report();
      }
    });
  });
}

function report(): void {
  const sorted = Float64Array.from(delays).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  console.log(JSON.stringify({ heard: delays.length, p50Ms: at(0.5), p99Ms: at(0.99), cut }));
}

for (let n = 0; n < count; n += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, listen));
}
console.log('listening');

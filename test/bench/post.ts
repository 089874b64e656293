import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

export interface Posted {
  readonly status: number;
  readonly text: string;
}

/** One POST of JSON on a kept connection, the same for every service that is measured. @throws Error without an answer */
export function send(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Posted> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const length = { 'content-type': 'application/json', 'content-length': bytes.length };
    const asked = request(url, { agent, method: 'POST', headers: { ...headers, ...length } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
    });
    asked.on('error', reject);
    asked.end(bytes);
  });
}

/** As {@link send}, of what is done once. @throws Error for any answer but 200 */
export async function post(url: string, body: unknown, idempotencyKey: string): Promise<string> {
  const { status, text } = await send(url, JSON.stringify(body), { 'idempotency-key': idempotencyKey });
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
  return text;
}

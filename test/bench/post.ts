import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/** One POST on a kept connection, the same for every service that is measured. @throws Error for any answer but 200 */
export function post(url: string, body: unknown, idempotencyKey: string): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': bytes.length,
          'idempotency-key': idempotencyKey,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
        });
      },
    );
    asked.on('error', reject);
    asked.end(bytes);
  });
}

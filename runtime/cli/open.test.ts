import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { openCommand } from './open.ts';

const dir = mkdtempSync(join(tmpdir(), 'open-'));
const [seen, browser] = [join(dir, 'seen'), join(dir, 'browser')];
writeFileSync(browser, `#!/bin/sh\necho "$1" > ${seen}.part && mv ${seen}.part ${seen}\n`);
chmodSync(browser, 0o755);
const env = { DATA_DIR: dir, BASE_URL: 'https://desk.example', BROWSER: browser };

afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function opened(words: readonly string[], of: Record<string, string> = env): Promise<string> {
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => said.push(line));
  await openCommand(of)
    .exitOverride()
    .parseAsync(['node', 'open', ...words]);
  return said.join('\n');
}

it('calls the browser with the page of the thing', async () => {
  expect(await opened(['harbour-desk'])).toBe('https://desk.example/agent/harbour-desk');
  while (!existsSync(seen)) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(readFileSync(seen, 'utf8').trim()).toBe('https://desk.example/agent/harbour-desk');
});

it.each([
  [[], '/'],
  [['market'], '/catalogue'],
  [['rec_0123'], '/records/rec_0123'],
  [['lot', 'a/b'], '/lots/a%2Fb'],
  [['agent', 'market'], '/agent/market'],
] as const)('finds the page of %j', async (words, path) => {
  expect(await opened([...words, '--print'])).toBe(`https://desk.example${path}`);
  expect(JSON.parse(await opened([...words, '--json']))).toEqual({ url: `https://desk.example${path}` });
});

it('refuses the page of a thing that the service does not have, and none that it cannot be asked about', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/agent/harbour-desk' ? 200 : 404;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const of = { ...env, BASE_URL: base };
  try {
    expect(await opened(['harbour-desk', '--print'], of)).toBe(`${base}/agent/harbour-desk`);
    for (const words of [['nobody'], ['agent', 'nobody'], ['rec_0123'], ['lot', 'x']])
      for (const way of ['--print', '--json'])
        await expect(opened([...words, way], of)).rejects.toThrow('has no page');
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it('says what is missing: an id, a thing that takes one, a service', async () => {
  await expect(opened(['lot'])).rejects.toThrow('Say which lot');
  await expect(opened(['market', 'x'])).rejects.toThrow('which take an id');
  await expect(opened([], { DATA_DIR: dir })).rejects.toThrow('No service runs on');
});

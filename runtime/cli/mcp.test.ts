import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { mcpCommand } from './mcp.ts';
import type { McpSettings, Starters } from './starters.ts';

const dir = mkdtempSync(join(tmpdir(), 'mcp-'));
const file = join(dir, 'owner.key');
writeFileSync(file, `0x${'11'.repeat(32)}\n`, { mode: 0o600 });
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function started(...words: string[]): Promise<McpSettings[]> {
  const all: McpSettings[] = [];
  const starters = { mcp: async (settings: McpSettings) => void all.push(settings) } as Partial<Starters>;
  await mcpCommand({ DATA_DIR: dir, BASE_URL: '' }, starters as Starters)
    .exitOverride()
    .parseAsync(['node', 'mcp', ...words]);
  return all;
}

it('takes a key for a service over https, and for one on this machine', async () => {
  for (const url of ['https://handshake.example', 'http://127.0.0.1:4021', 'http://localhost:4021'])
    expect(await started('--url', url, '--key-file', file)).toMatchObject([{ baseUrl: url }]);
});

it('takes no key for a service over plain http elsewhere, and says what to do', async () => {
  for (const url of ['http://handshake.example', 'http://192.168.1.7:4021'])
    await expect(started('--url', url, '--key-file', file)).rejects.toThrow(
      'give --url with https://, or leave --key-file out',
    );
  expect(await started('--url', 'http://handshake.example')).toMatchObject([{ privateKey: null }]);
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { knownSettings } from '../setting-names.ts';
import { checkFolder, checkPort } from './machine.ts';
import { checkNode, checkSettings, isAtLeast } from './settings.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'doctor-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const found = (env: Record<string, string>) => checkSettings(env).findings;

describe('the doctor', () => {
  it('holds Node.js to what package.json allows', () => {
    expect(checkNode().state).toBe('well');
    expect(checkNode('18.20.1')).toMatchObject({ state: 'wrong', remedy: expect.stringContaining('20.19') });
    expect([isAtLeast('20.19', '20.19'), isAtLeast('20.9.1', '20.19'), isAtLeast('22.0.0', '20.19')]).toEqual(
      [true, false, true],
    );
  });

  it('names settings that cannot be read, with the remedy', () => {
    expect(found({ PORT: 'many' })).toEqual([
      {
        ...{ of: 'settings', state: 'wrong', says: 'PORT is set wrongly' },
        remedy: 'it must be a whole number from 0 to 65535',
      },
    ]);
    expect(checkSettings({ PORT: 'many' }).config).toBeNull();
  });

  it('tells of names that are misspelt, and of nobody else’s', () => {
    const { exact, prefixes } = knownSettings();
    expect(exact).toContain('DATABASE_URL');
    expect(prefixes).toContain('RPC_URL_');
    const misspelt = found({ DATABSE_URL: 'x', RPC_ULR_8453: 'x', EXPLORER_URLS_1: 'x' }).slice(1);
    expect(misspelt.map((f) => [f.state, f.remedy])).toEqual([
      ['doubtful', 'did you mean DATABASE_URL?'],
      ['doubtful', 'did you mean RPC_URL_8453?'],
      ['doubtful', 'did you mean EXPLORER_URL_1?'],
    ]);
    expect(
      // npm names the program of Node.js in NODE.
      found({
        PATH: '/bin',
        HOME: '/root',
        TERM: 'x',
        NODE: '/usr/bin/node',
        RPC_URL_8453: 'http://127.0.0.1:1',
      }),
    ).toHaveLength(1);
  });

  it('knows every setting that the code reads', () => {
    const { exact, prefixes } = knownSettings();
    const names = [...exact, ...prefixes];
    for (const name of ['PORT', 'DATA_DIR', 'REDIS_URL', 'HEAD_AGE_', 'TRANSFERS_SINCE_', 'REQUIRED_CHECKS_'])
      expect(names).toContain(name);
  });

  it('says that another program has the port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const config = readConfig({ DATA_DIR: dataDir, PORT: String(port) });
    const taken = { state: 'wrong', says: expect.stringContaining('EADDRINUSE') };
    // A program that hangs up, and one that speaks HTTP and is no service.
    for (const answer of ['', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"status":"ok"}']) {
      const reply = (socket: Socket) => void socket.once('data', () => socket.end(answer));
      server.on('connection', reply);
      expect(await checkPort(config)).toMatchObject(taken);
      server.off('connection', reply);
    }
    await new Promise((resolve) => server.close(resolve));
    expect(await checkPort(config)).toMatchObject({ state: 'well' });
  });

  it('finds keys that others can read, and says how to close them', () => {
    const config = readConfig({ DATA_DIR: dataDir });
    expect(checkFolder(config)[0]).toMatchObject({ state: 'well' });
    const file = join(dataDir, 'secrets.json');
    writeFileSync(file, '{}');
    chmodSync(file, 0o644);
    expect(checkFolder(config)[0]).toMatchObject({ state: 'wrong', remedy: `chmod 600 ${file}` });
    chmodSync(file, 0o600);
    expect(checkFolder(config)[0]).toMatchObject({ state: 'well' });
    expect(checkFolder(config)[1]?.of).toBe('disk');
  });
});

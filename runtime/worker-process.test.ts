import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config/config.ts';
import { writeRunning } from './embedded/running.ts';
import { requireEmbeddedAlike, requireShared } from './worker-process.ts';

const key = (): string => `0x${randomBytes(32).toString('hex')}`;
const SHARED = {
  DATABASE_URL: 'postgres://db.example/handshake',
  RPC_URL_1002: 'http://chain.example',
  RPC_URL_84532: 'http://base.example',
  SESSION_KEY_SEED: key(),
  OPERATOR_PRIVATE_KEY: key(),
  FACILITATOR_PRIVATE_KEY: key(),
};

describe('a worker beside others', () => {
  it('starts with all that it shares with them', () => {
    expect(() => requireShared(readConfig(SHARED))).not.toThrow();
  });

  it('names all at once that is not set, and never makes a key or a chain of its own', () => {
    expect(() => requireShared(readConfig({}))).toThrow(
      'set DATABASE_URL, RPC_URL_1002, RPC_URL_84532, SESSION_KEY_SEED, OPERATOR_PRIVATE_KEY, FACILITATOR_PRIVATE_KEY as the API has them',
    );
    const { DATABASE_URL: _db, RPC_URL_84532: _rpc, ...rest } = SHARED;
    expect(() => requireShared(readConfig(rest))).toThrow(
      'set DATABASE_URL, RPC_URL_84532 as the API has them',
    );
  });

  it('is told all that it sets beside an API with embedded chains, and never waits for blocks that do not come', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'worker-'));
    const chain = (rpcUrl: string) => ({ rpcUrl }) as Parameters<typeof writeRunning>[1]['chains'][string];
    const chains = { 1002: chain('http://127.0.0.1:7001'), 84532: chain('http://127.0.0.1:7002') };
    try {
      writeRunning(dataDir, { pid: process.pid, baseUrl: 'http://127.0.0.1:4021', chains });
      const all =
        'RPC_URL_1002=http://127.0.0.1:7001 RPC_URL_84532=http://127.0.0.1:7002 CONFIRMATIONS_1002=0 HEAD_AGE_1002=31536000 HEAD_AGE_84532=31536000';
      expect(() => requireShared(readConfig({ DATA_DIR: dataDir }))).toThrow(all);
      const told = Object.fromEntries(all.split(' ').map((one) => one.split('=') as [string, string]));
      const env = { ...SHARED, ...told, DATA_DIR: dataDir };
      expect(() => requireEmbeddedAlike(readConfig(env))).not.toThrow();
      for (const name of ['CONFIRMATIONS_1002', 'HEAD_AGE_1002', 'HEAD_AGE_84532'])
        expect(() => requireEmbeddedAlike(readConfig({ ...env, [name]: '' }))).toThrow(all);
      // Chains elsewhere are none of that API.
      expect(() => requireEmbeddedAlike(readConfig({ ...SHARED, DATA_DIR: dataDir }))).not.toThrow();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config/config.ts';
import { requireShared } from './worker-process.ts';

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
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, expect, it } from 'vitest';
import { makeKeystore } from '../../chain/keys/keystore.ts';
import { readConfig } from '../config/config.ts';
import { openSecrets } from '../config/secrets.ts';
import { openKeys } from './open-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'handshake-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const password = join(folder, 'password');
writeFileSync(password, 'a word\n');

const REAL = {
  DATA_DIR: folder,
  RPC_URL_1002: 'http://127.0.0.1:1',
  FACILITATOR_PRIVATE_KEY: generatePrivateKey(),
  SESSION_KEY_SEED: generatePrivateKey(),
  KEYSTORE_PASSWORD_FILE: password,
};
const opened = (env: Record<string, string>) => {
  const config = readConfig({ ...REAL, ...env });
  return openKeys(
    config,
    openSecrets(config, (n) => randomBytes(n).toString('hex')),
  );
};
async function keystore(name: string, key: Hex): Promise<string> {
  const file = join(folder, name);
  const store = await makeKeystore(key, 'a word', { n: 1024, r: 8, p: 1, dklen: 32 });
  writeFileSync(file, JSON.stringify(store));
  return `keystore:${file}`;
}

it('a role without a key of its own signs with the operator’s', async () => {
  const [operator, minter] = [generatePrivateKey(), generatePrivateKey()];
  const keys = await opened({
    OPERATOR_PRIVATE_KEY: operator,
    MINTER_SIGNER: await keystore('minter', minter),
  });
  expect(keys.minter.address).toBe(privateKeyToAddress(minter));
  for (const role of ['operator', 'recorder', 'settlement', 'records'] as const)
    expect(keys[role].address).toBe(privateKeyToAddress(operator));
  expect(keys.facilitator.address).toBe(privateKeyToAddress(REAL.FACILITATOR_PRIVATE_KEY));
});

it('a keystore that cannot be opened, or holds a key that can be guessed, is refused by its setting', async () => {
  const OPERATOR_PRIVATE_KEY = generatePrivateKey();
  const absent = { OPERATOR_PRIVATE_KEY, RECORDER_SIGNER: `keystore:${folder}/absent` };
  await expect(opened(absent)).rejects.toThrow(/^RECORDER_SIGNER cannot be used: .*absent/);
  const weak = { OPERATOR_PRIVATE_KEY, MINTER_SIGNER: await keystore('weak', `0x${'00'.repeat(31)}01`) };
  await expect(opened(weak)).rejects.toThrow(/^MINTER_SIGNER cannot be used: its key /);
});

it('production refuses a keystore with the key of another role', async () => {
  const one = generatePrivateKey();
  const env = {
    MODE: 'production',
    BASE_URL: 'https://handshake.example',
    RPC_URL_1002: 'https://one.example,https://two.example',
    RPC_URL_84532: 'https://three.example,https://four.example',
    OPERATOR_API_KEY: `op_${randomBytes(24).toString('hex')}`,
    STRIPE_SECRET_KEY: `sk_live_${randomBytes(16).toString('hex')}`,
    STRIPE_WEBHOOK_SECRETS: `whsec_${randomBytes(16).toString('hex')}`,
    PAY_TO: `0x${'ab'.repeat(20)}`,
    OPERATOR_PRIVATE_KEY: one,
    MINTER_PRIVATE_KEY: generatePrivateKey(),
    RECORDER_PRIVATE_KEY: generatePrivateKey(),
    SETTLEMENT_PRIVATE_KEY: generatePrivateKey(),
  };
  const same = { ...env, RECORDS_SIGNER: await keystore('same', one) };
  await expect(opened(same)).rejects.toThrow(/^RECORDS_SIGNER is set wrongly: it holds the operator's key/);
  const other = { ...env, RECORDS_SIGNER: await keystore('other', generatePrivateKey()) };
  await expect(opened(other)).resolves.toBeDefined();
});

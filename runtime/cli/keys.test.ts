import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openKey } from '../keys/open-keys.ts';
import { keysCommand } from './keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
const password = join(folder, 'password');
writeFileSync(password, 'a word\n');
const none = join(folder, 'none');
afterAll(() => rmSync(folder, { recursive: true }));

const make = async (file: string, env: Record<string, string>) =>
  await keysCommand({ DATA_DIR: folder, ...env })
    .exitOverride()
    .parseAsync(['make', file], { from: 'user' });

describe('a keystore', () => {
  const usage = (message: string) =>
    expect.objectContaining({ name: 'StartError', message: expect.stringContaining(message) });

  it('is not made without its password, nor where there is no folder, and the setting or the file is named', async () => {
    const file = join(folder, 'minter.json');
    await expect(make(file, { KEYSTORE_PASSWORD_FILE: none })).rejects.toEqual(
      usage('KEYSTORE_PASSWORD_FILE cannot be read'),
    );
    await expect(make(file, {})).rejects.toEqual(usage('set KEYSTORE_PASSWORD_FILE'));
    const nowhere = join(none, 'minter.json');
    await expect(make(nowhere, { KEYSTORE_PASSWORD_FILE: password })).rejects.toEqual(
      usage(`${nowhere} cannot be written`),
    );
    expect(existsSync(file)).toBe(false);
  });

  it('is opened with the password that it was made with, and without names the setting', async () => {
    const file = join(folder, 'operator.json');
    const said = vi.spyOn(console, 'log').mockImplementation(() => {});
    await make(file, { KEYSTORE_PASSWORD_FILE: password });
    const { address } = JSON.parse(String(said.mock.calls[0]![0])) as { address: string };
    said.mockRestore();
    expect(readFileSync(file, 'utf8')).not.toContain('a word');
    const open = async (passwordFile: string) =>
      await openKey(
        readConfig({
          DATA_DIR: folder,
          RPC_URL_1002: 'http://127.0.0.1:9',
          FACILITATOR_PRIVATE_KEY: generatePrivateKey(),
          SESSION_KEY_SEED: generatePrivateKey(),
          OPERATOR_SIGNER: `keystore:${file}`,
          KEYSTORE_PASSWORD_FILE: passwordFile,
        }),
        'operator',
      );
    expect((await open(password))?.address).toBe(address);
    await expect(open(none)).rejects.toEqual(usage('KEYSTORE_PASSWORD_FILE cannot be read'));
  });
});

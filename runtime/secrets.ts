import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** Keys of the service. Made once for embedded chains, given by configuration elsewhere; never logged. */
export interface Secrets {
  readonly sessionKeySeed: `0x${string}`;
  readonly operatorPrivateKey: `0x${string}`;
  readonly facilitatorPrivateKey: `0x${string}`;
  readonly treasuryPrivateKey: `0x${string}`;
  readonly operatorApiKey: string;
  readonly cardSecretKey: string;
  readonly cardWebhookSecret: string;
}

export type RandomHex = (bytes: number) => string;

/**
 * Reads `secrets.json` of the data folder, or makes it (mode 0600), and lets the configuration overrule it.
 * @throws when the file exists and cannot be read as what was written: a key is never replaced silently
 */
export function openSecrets(config: Config, randomHex: RandomHex): Secrets {
  const file = join(config.dataDir, 'secrets.json');
  mkdirSync(config.dataDir, { recursive: true });
  if (!existsSync(file)) {
    const made: Secrets = {
      sessionKeySeed: `0x${randomHex(32)}`,
      operatorPrivateKey: `0x${randomHex(32)}`,
      facilitatorPrivateKey: `0x${randomHex(32)}`,
      treasuryPrivateKey: `0x${randomHex(32)}`,
      operatorApiKey: `op_${randomHex(24)}`,
      cardSecretKey: `sk_test_${randomHex(16)}`,
      cardWebhookSecret: `whsec_${randomHex(24)}`,
    };
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  }
  chmodSync(file, 0o600);
  return readSecrets(config, file);
}

/** The secrets that stand, for the other commands on this machine. @throws when none were made yet */
export function openSecretsReadOnly(config: Config): Secrets {
  return readSecrets(config, join(config.dataDir, 'secrets.json'));
}

function readSecrets(config: Config, file: string): Secrets {
  const kept = parse(file);
  return {
    ...kept,
    sessionKeySeed: config.sessionKeySeed ?? kept.sessionKeySeed,
    operatorPrivateKey: config.operatorPrivateKey ?? kept.operatorPrivateKey,
    facilitatorPrivateKey: config.facilitatorPrivateKey ?? kept.facilitatorPrivateKey,
    operatorApiKey: config.operatorApiKey ?? kept.operatorApiKey,
  };
}

function parse(file: string): Secrets {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as Secrets;
  } catch {
    // What the parser says may quote a key.
    throw new Error(`the keys in ${file} cannot be read: restore that file, for nothing replaces them`);
  }
}

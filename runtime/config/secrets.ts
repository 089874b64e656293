import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { createPrivately, PRIVATE_FILE, PRIVATE_FOLDER, replacePrivately } from './private-file.ts';
import { privateKeyOf } from './role-keys.ts';

/** The service's keys: generated once on embedded chains, configured elsewhere. They are never logged. */
export interface Secrets {
  /** One seed, or several versions of it: `parseSeeds`. */
  readonly sessionKeySeed: string;
  readonly operatorPrivateKey: `0x${string}`;
  readonly facilitatorPrivateKey: `0x${string}`;
  readonly treasuryPrivateKey: `0x${string}`;
  readonly operatorApiKey: string;
  readonly cardSecretKey: string;
  readonly cardWebhookSecret: string;
}

export type RandomHex = (bytes: number) => string;

/**
 * Reads `secrets.json` of the data folder, or creates it (mode 0600). Configured keys take precedence.
 * @throws when the file exists but cannot be read: a key is never replaced silently
 */
export function openSecrets(config: Config, randomHex: RandomHex): Secrets {
  const file = fileOf(config.dataDir);
  mkdirSync(config.dataDir, { recursive: true, mode: PRIVATE_FOLDER });
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
    createPrivately(file, textOf(made));
  }
  chmodSync(file, PRIVATE_FILE);
  return readSecrets(config, file);
}

/** The existing secrets, for other commands on this machine. @throws when none were made yet */
export function openSecretsReadOnly(config: Config): Secrets {
  return readSecrets(config, fileOf(config.dataDir));
}

/**
 * Replaces the operator key that was generated into the data folder.
 * @returns false and changes nothing when the folder's key is not the one that `isOld` accepts, or the environment sets
 *   one
 */
export function replaceMadeOperatorKey(
  config: Config,
  isOld: (key: string) => boolean,
  operatorApiKey: string,
): boolean {
  const file = fileOf(config.dataDir);
  if (config.operatorApiKey !== null || !existsSync(file)) return false;
  const kept = parse(file);
  if (!isOld(kept.operatorApiKey)) return false;
  replacePrivately(file, textOf({ ...kept, operatorApiKey }));
  return true;
}

/**
 * Replaces the seed that was made into the data folder.
 * @returns false and changes nothing when the environment sets one, or the folder has none
 */
export function replaceMadeSeed(config: Config, sessionKeySeed: string): boolean {
  const file = fileOf(config.dataDir);
  if (config.sessionKeySeed !== null || !existsSync(file)) return false;
  replacePrivately(file, textOf({ ...parse(file), sessionKeySeed }));
  return true;
}

const fileOf = (dataDir: string): string => join(dataDir, 'secrets.json');
const textOf = (secrets: Secrets): string => `${JSON.stringify(secrets, null, 2)}\n`;

function readSecrets(config: Config, file: string): Secrets {
  const kept = parse(file);
  return {
    ...kept,
    sessionKeySeed: config.sessionKeySeed ?? kept.sessionKeySeed,
    operatorPrivateKey: privateKeyOf(config, 'operator') ?? kept.operatorPrivateKey,
    facilitatorPrivateKey: privateKeyOf(config, 'facilitator') ?? kept.facilitatorPrivateKey,
    operatorApiKey: config.operatorApiKey ?? kept.operatorApiKey,
  };
}

function parse(file: string): Secrets {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as Secrets;
  } catch {
    // The parser's message is left out because it may quote a key.
    throw new Error(`the keys in ${file} cannot be read: restore that file, for nothing replaces them`);
  }
}

import { readFileSync } from 'node:fs';
import { isAddressEqual, type LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { openKeystore } from '../../chain/keys/keystore.ts';
import { remoteSigner } from '../../chain/keys/remote-signer.ts';
import type { Config } from '../config/config.ts';
import {
  KEY_ROLES,
  type KeyRole,
  type KeySource,
  privateKeySetting,
  signerSetting,
} from '../config/role-keys.ts';
import { isProduction } from '../config/rules.ts';
import type { Secrets } from '../config/secrets.ts';
import { messageOf, StartError } from '../config/start-error.ts';
import { weaknessOfKey } from '../config/weak-key.ts';
import { keystorePassword } from './keystore-password.ts';

/** What signs for each role of the service, wherever the key is held. */
export type ServiceKeys = Readonly<Record<KeyRole, LocalAccount>>;

/**
 * Opens the key of each role: from the environment, a keystore or a remote signer. A role without a key of its own
 * signs with the operator's.
 * @param secrets what was made for a service that sets no keys; null for one that has to set them
 * @throws StartError, one sentence, that names the setting: the keystore or the signer cannot be used, a key is weak,
 *   two roles have one key in production, or a key is missing
 */
export async function openKeys(config: Config, secrets: Secrets | null): Promise<ServiceKeys> {
  const opened = new Map<KeyRole, LocalAccount>();
  for (const role of KEY_ROLES) {
    const key = await openKey(config, role);
    if (key !== null) opened.set(role, key);
  }
  const made = (role: 'operator' | 'facilitator'): LocalAccount => {
    if (secrets === null) throw new StartError(`${privateKeySetting(role)} is not set: set it.`);
    return privateKeyToAccount(secrets[`${role}PrivateKey`]);
  };
  const operator = opened.get('operator') ?? made('operator');
  const facilitator = opened.get('facilitator') ?? made('facilitator');
  const own = (role: KeyRole): LocalAccount => opened.get(role) ?? operator;
  const keys: ServiceKeys = {
    operator,
    minter: own('minter'),
    recorder: own('recorder'),
    settlement: own('settlement'),
    records: own('records'),
    facilitator,
  };
  if (isProduction(config)) requireApart(keys, config);
  return keys;
}

/** The key of one role, where the settings name one of its own. @throws StartError as {@link openKeys} */
export async function openKey(config: Config, role: KeyRole): Promise<LocalAccount | null> {
  const source = config.keys[role];
  return source === null ? null : await open(config, role, source);
}

async function open(config: Config, role: KeyRole, source: KeySource): Promise<LocalAccount> {
  if (source.form === 'private') return privateKeyToAccount(source.privateKey);
  const password = source.form === 'remote' ? null : keystorePassword(config);
  try {
    if (source.form === 'remote') return await remoteSigner(source);
    const key = await openKeystore(readFileSync(source.file, 'utf8'), password!);
    const weakness = weaknessOfKey(key);
    if (weakness !== null) throw new Error(`its key ${weakness}`);
    return privateKeyToAccount(key);
  } catch (cause) {
    throw new StartError(`${signerSetting(role)} cannot be used: ${messageOf(cause)}.`, { cause });
  }
}

/** Keystores and signers show only here whose key they hold. */
function requireApart(keys: ServiceKeys, { keys: sources }: Config): void {
  for (const [i, role] of KEY_ROLES.entries()) {
    const same = KEY_ROLES.slice(0, i).find((other) =>
      isAddressEqual(keys[other].address, keys[role].address),
    );
    if (same === undefined) continue;
    const named = sources[role]?.form === 'private' ? privateKeySetting(role) : signerSetting(role);
    throw new StartError(
      `${named} is set wrongly: it holds the ${same}'s key (${keys[same].address}): give each role one of its own.`,
    );
  }
}

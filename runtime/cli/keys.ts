import { Command } from 'commander';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { PER_VERSION } from '../../chain/clients/session-keys.ts';
import { makeKeystore } from '../../chain/keys/keystore.ts';
import {
  requireSeeds,
  seedKeys,
  withNextSeed,
  withoutSeed,
  withSeedForSessionKeys,
} from '../../chain/keys/seeds.ts';
import { type SeedUse, seedUse } from '../../store/keys/seed-use.ts';
import { rewrapSecrets } from '../../store/webhooks/rewrap-secrets.ts';
import { readConfig } from '../config/config.ts';
import { createPrivately } from '../config/private-file.ts';
import { openSecretsReadOnly, replaceMadeSeed } from '../config/secrets.ts';
import { messageOf, StartError } from '../config/start-error.ts';
import { keystorePassword } from '../keys/keystore-password.ts';
import { secretBoxOf, WEBHOOK_SECRETS } from '../webhooks/secret-box.ts';
import { withDatabase } from './database.ts';
import { withOperatorAct } from './operator-act.ts';
import { wholeNumber } from './whole-number.ts';

const VERSION_OF_SEED = wholeNumber(0, 1_000_000);

type Env = Readonly<Record<string, string | undefined>>;

export function keysCommand(env: Env): Command {
  const command = new Command('keys').description('The keys with which the service itself signs.');
  command.addHelpText(
    'after',
    `
Examples:
  KEYSTORE_PASSWORD_FILE=/run/keys/password npm run -s handshake -- keys make /run/keys/minter.json
  npm run -s handshake -- keys rotate-seed
  npm run -s handshake -- keys seeds`,
  );
  command
    .command('make <file>')
    .description('Make a private key and write it into an encrypted keystore. Prints the address alone.')
    .addHelpText(
      'after',
      `
The format is Web3 Secret Storage, version 3, with scrypt, as geth and ethers write it. The password is the text of the file
that KEYSTORE_PASSWORD_FILE names. A file that stands already is not replaced.

Example:
  KEYSTORE_PASSWORD_FILE=/run/keys/password npm run -s handshake -- keys make /run/keys/minter.json`,
    )
    .action(async (file: string) => {
      const password = keystorePassword(readConfig(env));
      const key = generatePrivateKey();
      const keystore = `${JSON.stringify(await makeKeystore(key, password), null, 2)}\n`;
      if (!written(file, keystore)) throw new StartError(`${file} stands already: nothing was changed.`);
      console.log(JSON.stringify({ address: privateKeyToAddress(key), keystore: file }));
    });
  command
    .command('rotate-seed')
    .description('Make the next version of the seed from which session keys and MACs are derived.')
    .addHelpText(
      'after',
      `
Where the seed was made into DATA_DIR, the new version is written there, in use, and the earlier ones go on being accepted:
restart the service. Where SESSION_KEY_SEED sets it, its next two values are printed, to be set in this order, each in every
process, so that none meets a signature that it does not know. Then "keys rewrap", and "keys seeds" until nothing rests on
the old version.

Example:
  npm run -s handshake -- keys rotate-seed`,
    )
    .action(async () => {
      const config = readConfig(env);
      const next = withNextSeed(openSecretsReadOnly(config).sessionKeySeed, generatePrivateKey());
      const { version } = next;
      const act = { act: 'keys rotate-seed', subject: String(version) };
      if (await withOperatorAct(config, act, async () => replaceMadeSeed(config, next.used)))
        return console.log(JSON.stringify({ version, next: 'restart the service' }));
      console.log(JSON.stringify({ version, first: next.accepted, second: next.used }));
    });
  command
    .command('seeds')
    .description('Which versions of the seed are held, and what rests on each.')
    .addHelpText('after', '\nExample:\n  npm run -s handshake -- keys seeds')
    .action(async () => {
      const config = readConfig(env);
      const held = requireSeeds(openSecretsReadOnly(config).sessionKeySeed);
      const used = await withDatabase(config, (db) => seedUse(db, BigInt(PER_VERSION)));
      const versions = new Set([...held, ...used].map(({ version }) => version));
      for (const version of [...versions].sort((a, b) => b - a)) {
        const { agents, secrets } = used.find((use) => use.version === version) ?? { agents: 0, secrets: 0 };
        const seed = held.find((one) => one.version === version);
        const inUse = held[0].version === version;
        const onlySessionKeys = seed?.onlySessionKeys ?? false;
        console.log(
          JSON.stringify({ version, inUse, held: seed !== undefined, onlySessionKeys, agents, secrets }),
        );
      }
    });
  command
    .command('rewrap')
    .description('Encrypt every webhook secret under the version of the seed in use.')
    .addHelpText('after', '\nExample:\n  npm run -s handshake -- keys rewrap')
    .action(async () => {
      const config = readConfig(env);
      const box = secretBoxOf(seedKeys(openSecretsReadOnly(config).sessionKeySeed), WEBHOOK_SECRETS);
      const rewrapped = await withOperatorAct(config, { act: 'keys rewrap', subject: null }, (db) =>
        rewrapSecrets(db, (kept) => (box.isCurrent(kept) ? null : box.close(box.open(kept)))),
      );
      console.log(JSON.stringify({ rewrapped }));
    });
  command
    .command('retire-seed')
    .argument('<version>', 'of the seed', VERSION_OF_SEED)
    .description('Hold a version of the seed for session keys alone, as after a leak.')
    .addHelpText(
      'after',
      `
Nothing else that was made with it counts from the restart on: read sessions, sign-ins, portable verdicts. Agents keep their
session keys until their owners replace them. Webhook secrets must have been rewrapped.

Example:
  npm run -s handshake -- keys retire-seed 0`,
    )
    .action((version: number) =>
      changeFormerSeed(env, version, {
        ...{ act: 'retire-seed', done: 'retired', change: withSeedForSessionKeys },
        refusal: ({ secrets }, version) =>
          secrets === 0
            ? null
            : `${secrets} webhook secrets rest on version ${version}: "keys rewrap" first. Nothing was changed.`,
      }),
    );
  command
    .command('drop-seed')
    .argument('<version>', 'of the seed', VERSION_OF_SEED)
    .description('Hold a version of the seed no longer, once nothing rests on it.')
    .addHelpText('after', '\nExample:\n  npm run -s handshake -- keys drop-seed 0')
    .action((version: number) =>
      changeFormerSeed(env, version, {
        ...{ act: 'drop-seed', done: 'dropped', change: withoutSeed },
        refusal: ({ agents, secrets }, version) =>
          `${agents} agents and ${secrets} webhook secrets rest on version ${version}: nothing was changed.`,
      }),
    );
  return command;
}

/** @returns false when the file stands already @throws StartError that names it, such as where its folder is missing */
function written(file: string, keystore: string): boolean {
  try {
    return createPrivately(file, keystore);
  } catch (cause) {
    throw new StartError(`${file} cannot be written: ${messageOf(cause)}.`, { cause });
  }
}

/** What becomes of a version of the seed that is no longer in use. */
interface SeedChange {
  readonly act: 'retire-seed' | 'drop-seed';
  /** The word under which the version is printed. */
  readonly done: 'retired' | 'dropped';
  /** The held seeds after it. @throws RangeError for a version that is in use, or not held */
  readonly change: (seeds: string, version: number) => string;
  /** Why it is refused for what rests on the version; null where it is not. */
  readonly refusal: (use: SeedUse, version: number) => string | null;
}

/** Changes how a former version is held, in DATA_DIR or, where SESSION_KEY_SEED sets it, by printing its next value. */
async function changeFormerSeed(env: Env, version: number, asked: SeedChange): Promise<void> {
  const { act, done, change, refusal } = asked;
  const config = readConfig(env);
  const seeds = openSecretsReadOnly(config).sessionKeySeed;
  const left = orStartError(() => change(seeds, version));
  const isReplaced = await withOperatorAct(
    config,
    { act: `keys ${act}`, subject: String(version) },
    async (db) => {
      const use = (await seedUse(db, BigInt(PER_VERSION))).find((one) => one.version === version);
      const why = use === undefined ? null : refusal(use, version);
      if (why !== null) throw new StartError(why);
      return replaceMadeSeed(config, left);
    },
  );
  console.log(
    JSON.stringify({
      [done]: version,
      ...(isReplaced ? { next: 'restart the service' } : { sessionKeySeed: left }),
    }),
  );
}

/** @throws StartError in place of a RangeError: there is nothing to act on */
function orStartError<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof RangeError) throw new StartError(cause.message, { cause });
    throw cause;
  }
}

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { makeKeystore } from '../../chain/keys/keystore.ts';
import { readConfig } from '../config/config.ts';
import { createPrivately } from '../config/private-file.ts';
import { StartError } from '../config/start-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

export function keysCommand(env: Env): Command {
  const command = new Command('keys').description('The keys with which the service itself signs.');
  command.addHelpText(
    'after',
    `
Examples:
  KEYSTORE_PASSWORD_FILE=/run/keys/password npm run -s handshake -- keys make /run/keys/minter.json`,
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
      const { keystorePasswordFile } = readConfig(env);
      if (keystorePasswordFile === null)
        throw new StartError('A keystore needs a password: set KEYSTORE_PASSWORD_FILE.');
      const password = readFileSync(keystorePasswordFile, 'utf8').replace(/\r?\n$/, '');
      const key = generatePrivateKey();
      const keystore = `${JSON.stringify(await makeKeystore(key, password), null, 2)}\n`;
      if (!createPrivately(file, keystore))
        throw new StartError(`${file} stands already: nothing was changed.`);
      console.log(JSON.stringify({ address: privateKeyToAddress(key), keystore: file }));
    });
  return command;
}

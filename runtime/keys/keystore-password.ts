import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { messageOf, StartError } from '../config/start-error.ts';

/** The password of the service's keystores: the text of a file. @throws StartError that names the setting */
export function keystorePassword({ keystorePasswordFile: file }: Config): string {
  if (file === null) throw new StartError('A keystore needs a password: set KEYSTORE_PASSWORD_FILE.');
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new StartError(
      `KEYSTORE_PASSWORD_FILE cannot be read: name the file that holds the password (${messageOf(cause)}).`,
      { cause },
    );
  }
}

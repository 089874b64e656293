import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SeedKeys } from '../../chain/keys/seeds.ts';

/** The use under which the secrets of webhook subscriptions are kept. */
export const WEBHOOK_SECRETS = 'webhook secrets';

/** Encrypts secrets that the service must use again and that nobody may read in the database. */
export interface SecretBox {
  close(text: string): string;
  /** @throws Error when the text was not encrypted by this box, or was changed, or its seed is held no more */
  open(sealed: string): string;
  /** True when a text that `close` made is under the version of the seed in use. */
  isCurrent(sealed: string): boolean;
}

/**
 * AES-256-GCM with a key of its own, derived from the seed that every process of the service has. The version of the seed
 * is the first byte of the text, and is authenticated with it.
 */
export function secretBoxOf(seed: SeedKeys, use: string): SecretBox {
  const { version, key, held } = seed(use);
  const mark = Buffer.from([version]);
  return {
    close(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(mark);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([mark, nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const then = held.get(bytes[0] ?? -1);
      if (!then) throw new Error('the secret is under a seed that is not held');
      const decipher = createDecipheriv('aes-256-gcm', then, bytes.subarray(1, 13), { authTagLength: 16 });
      decipher.setAAD(bytes.subarray(0, 1)).setAuthTag(bytes.subarray(13, 29));
      return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString('utf8');
    },
    isCurrent: (sealed) => Buffer.from(sealed, 'base64')[0] === version,
  };
}

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
 * stands before the text, such as `1.…`, and is authenticated with it.
 */
export function secretBoxOf(seed: SeedKeys, use: string): SecretBox {
  const { version, key, held } = seed(use);
  const mark = `${version}.`;
  return {
    close(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(mark));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return mark + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      const [, of = '', text = ''] = /^(\d{1,3})\.(.+)$/s.exec(sealed) ?? [];
      const then = held.get(Number(of));
      if (of === '' || !then) throw new Error('the secret is under a seed that is not held');
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', then, bytes.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(`${of}.`)).setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    isCurrent: (sealed) => sealed.startsWith(mark),
  };
}

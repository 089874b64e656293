import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets that the service must use again and that nobody may read in the database. */
export interface SecretBox {
  close(text: string): string;
  /** @throws Error when the text was not encrypted by this box, or was changed */
  open(sealed: string): string;
}

/** AES-256-GCM with a key of its own, derived from the seed that every process of the service has (HKDF, RFC 5869). */
export function secretBoxOf(seed: `0x${string}`, use: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(seed.slice(2), 'hex'), '', use, 32));
  return {
    close(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps what must be used again and may not be read in the database. */
export interface Seal {
  close(text: string): string;
  /** @throws Error when it was not closed by this seal, or was changed */
  open(sealed: string): string;
}

/** AES-256-GCM under a key of its own, made of the seed that every process of the service has (HKDF, RFC 5869). */
export function sealOf(seed: `0x${string}`, use: string): Seal {
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

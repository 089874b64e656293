import { createHash } from 'node:crypto';

/** As the SD-JWT libraries ask for a hash. @throws for any other than SHA-256 */
export function digest(data: string | ArrayBuffer, algorithm: string): Uint8Array {
  if (algorithm.toLowerCase() !== 'sha-256') throw new Error(`${algorithm} is not taken: only sha-256`);
  return createHash('sha256')
    .update(typeof data === 'string' ? data : new Uint8Array(data))
    .digest();
}

import {
  createCipheriv,
  createDecipheriv,
  pbkdf2,
  randomBytes,
  randomUUID,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { concat, type Hex, hexToBytes, keccak256, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

/** An encrypted private key, as geth and others write it: Web3 Secret Storage, version 3. */
export interface Keystore {
  readonly version: 3;
  readonly id?: string;
  /** Without 0x; some writers leave it out. */
  readonly address?: string;
  readonly crypto: {
    readonly cipher: 'aes-128-ctr';
    readonly cipherparams: { readonly iv: string };
    readonly ciphertext: string;
    readonly kdf: 'scrypt' | 'pbkdf2';
    readonly kdfparams: Readonly<Record<string, string | number>>;
    readonly mac: string;
  };
}

const derive = {
  scrypt: promisify<Buffer, Buffer, number, object, Buffer>(scrypt),
  pbkdf2: promisify(pbkdf2),
};
/** What geth writes as its standard: about a second, and 256 MiB. */
const STANDARD = { n: 262_144, r: 8, p: 1, dklen: 32 };
/** More than any known writer asks for; a file must not take the machine's memory. */
const MOST_MEMORY = 1_073_741_824;

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ''), 'hex');

/**
 * Decrypts a keystore.
 * @throws Error, one sentence without any of the file's content: another format, or the password is not its password
 */
export async function openKeystore(text: string, password: string): Promise<Hex> {
  const store = parse(text);
  const { cipher, cipherparams, ciphertext, kdf, kdfparams, mac } = store.crypto;
  if (cipher !== 'aes-128-ctr')
    throw new Error('the keystore is encrypted by another cipher than aes-128-ctr');
  const derived = await derivedKey(kdf, kdfparams, password);
  if (!isSame(macOf(derived, bytes(ciphertext)), bytes(mac)))
    throw new Error('the password is not the keystore’s');
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), bytes(cipherparams.iv));
  const key = toHex(Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()]));
  if (key.length !== 66) throw new Error('the keystore holds no private key of 32 bytes');
  const named = store.address?.replace(/^0x/, '').toLowerCase();
  if (named !== undefined && named !== privateKeyToAddress(key).slice(2).toLowerCase())
    throw new Error('the keystore names the address of another key than it holds');
  return key;
}

/** Encrypts a private key with scrypt. @param work other parameters than geth's, for tests */
export async function makeKeystore(
  key: Hex,
  password: string,
  work: { readonly n: number; readonly r: number; readonly p: number; readonly dklen: number } = STANDARD,
): Promise<Keystore> {
  const salt = randomBytes(32).toString('hex');
  const iv = randomBytes(16);
  const kdfparams = { ...work, salt };
  const derived = await derivedKey('scrypt', kdfparams, password);
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(hexToBytes(key)), cipher.final()]);
  return {
    version: 3,
    id: randomUUID(),
    address: privateKeyToAddress(key).slice(2).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: iv.toString('hex') },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams,
      mac: macOf(derived, ciphertext).toString('hex'),
    },
  };
}

function parse(text: string): Keystore {
  let store: Keystore & { readonly Crypto?: Keystore['crypto'] };
  try {
    store = JSON.parse(text) as Keystore;
  } catch {
    throw new Error('the keystore is not JSON');
  }
  // Some writers spell it with a capital.
  const crypto = store?.crypto ?? store?.Crypto;
  if (store?.version !== 3 || typeof crypto?.mac !== 'string')
    throw new Error('the keystore is not one of Web3 Secret Storage version 3');
  return { ...store, crypto };
}

async function derivedKey(
  kdf: string,
  params: Keystore['crypto']['kdfparams'],
  password: string,
): Promise<Buffer> {
  const [secret, salt] = [Buffer.from(password, 'utf8'), bytes(String(params.salt))];
  const length = Number(params.dklen);
  if (length < 32) throw new Error('the keystore derives too short a key');
  if (kdf === 'scrypt') {
    const [N, r, p] = [Number(params.n), Number(params.r), Number(params.p)];
    // Node counts what its own working space takes, too.
    const maxmem = 130 * N * r * p;
    if (!(128 * N * r <= MOST_MEMORY)) throw new Error('the keystore asks for more than 1 GiB of memory');
    // Early writers took r=1 and p=8 for such an N, which Node refuses by the letter of RFC 7914.
    if (N >= 2 ** (16 * r))
      return Buffer.from(await scryptAsync(secret, salt, { N, r, p, dkLen: length, maxmem }));
    return await derive.scrypt(secret, salt, length, { N, r, p, maxmem });
  }
  if (kdf === 'pbkdf2' && params.prf === 'hmac-sha256')
    return await derive.pbkdf2(secret, salt, Number(params.c), length, 'sha256');
  throw new Error('the keystore derives its key by another way than scrypt or pbkdf2 with hmac-sha256');
}

const macOf = (derived: Buffer, ciphertext: Buffer): Buffer =>
  bytes(keccak256(concat([derived.subarray(16, 32), ciphertext])));

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

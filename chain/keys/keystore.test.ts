import { decryptKeystoreJson, encryptKeystoreJsonSync } from 'ethers';
import { type Hex, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { makeKeystore, openKeystore } from './keystore.ts';

const QUICK = { n: 1024, r: 8, p: 1, dklen: 32 };

/** The vector of the Web3 Secret Storage definition with PBKDF2. */
const VECTOR = {
  key: '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
  store: {
    version: 3,
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
      ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
      kdf: 'pbkdf2',
      kdfparams: {
        c: 262144,
        dklen: 32,
        prf: 'hmac-sha256',
        salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
      },
      mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
    },
  },
};

/** The same key, in the definition's vector with scrypt: its r is smaller than RFC 7914 allows for such an n. */
const EARLY = {
  ...VECTOR.store,
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      ...{ dklen: 32, n: 262144, p: 8, r: 1 },
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
};

describe('an encrypted keystore', () => {
  it('opens the vector of its definition', async () => {
    expect(await openKeystore(JSON.stringify(VECTOR.store), 'testpassword')).toBe(VECTOR.key);
  });

  it('opens what early wallets wrote, which Node’s own scrypt refuses', async () => {
    expect(await openKeystore(JSON.stringify(EARLY), 'testpassword')).toBe(VECTOR.key);
  });

  it('is read by ethers, and reads what ethers wrote', async () => {
    const key = generatePrivateKey();
    const ours = JSON.stringify(await makeKeystore(key, 'pass word ü', QUICK));
    expect((await decryptKeystoreJson(ours, 'pass word ü')).privateKey).toBe(key);
    const account = { address: privateKeyToAddress(key), privateKey: key };
    const theirs = encryptKeystoreJsonSync(account, 'other', { scrypt: { N: 1024, r: 8, p: 1 } });
    expect(await openKeystore(theirs, 'other')).toBe(key);
  });

  it('opens with its own password alone, and in no changed form', async () => {
    const store = await makeKeystore(generatePrivateKey(), 'right', QUICK);
    await expect(openKeystore(JSON.stringify(store), 'wrong')).rejects.toThrow('the password is not');
    const changed = (crypto: object, more: object = {}) =>
      openKeystore(JSON.stringify({ ...store, ...more, crypto: { ...store.crypto, ...crypto } }), 'right');
    const flipped = `${store.crypto.ciphertext[0] === '0' ? '1' : '0'}${store.crypto.ciphertext.slice(1)}`;
    await expect(changed({ ciphertext: flipped })).rejects.toThrow('the password is not');
    await expect(changed({ cipher: 'aes-128-cbc' })).rejects.toThrow('another cipher');
    await expect(changed({ kdf: 'none' })).rejects.toThrow('another way');
    await expect(changed({ kdfparams: { ...store.crypto.kdfparams, n: 2 ** 40 } })).rejects.toThrow('1 GiB');
    await expect(changed({}, { address: toHex(1n, { size: 20 }) as Hex })).rejects.toThrow('another key');
    await expect(openKeystore('{', 'right')).rejects.toThrow('not JSON');
    await expect(openKeystore('{"version":1}', 'right')).rejects.toThrow('version 3');
  });
});

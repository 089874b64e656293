import fc from 'fast-check';
import { concat, type Hex, hashMessage, numberToHex, recoverAddress, slice } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { signerOf } from './signature.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const accounts = [1, 2, 3].map((n) => privateKeyToAccount(numberToHex(n * 7919, { size: 32 })));

const word = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n),
);
const change = fc.oneof(
  fc.record({ do: fc.constant('nothing' as const) }),
  fc.record({
    do: fc.constant('last byte' as const),
    to: fc.constantFrom(0, 1, 2, 3, 26, 27, 28, 29, 30, 255),
  }),
  fc.record({ do: fc.constant('other half' as const) }),
  fc.record({ do: fc.constantFrom('r' as const, 's' as const), to: word }),
  fc.record({ do: fc.constant('byte' as const), at: fc.nat(64), to: fc.nat(255) }),
);

function changed(signature: Hex, what: typeof change extends fc.Arbitrary<infer T> ? T : never): Hex {
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), slice(signature, 64)];
  switch (what.do) {
    case 'nothing':
      return signature;
    case 'last byte':
      return concat([r, s, numberToHex(what.to, { size: 1 })]);
    case 'other half':
      return concat([r, numberToHex(ORDER - BigInt(s), { size: 32 }), v === '0x1b' ? '0x1c' : '0x1b']);
    case 'r':
      return concat([numberToHex(what.to, { size: 32 }), s, v]);
    case 's':
      return concat([r, numberToHex(what.to, { size: 32 }), v]);
    default: {
      const { at, to } = what;
      const head = at === 0 ? '0x' : slice(signature, 0, at);
      const tail = at === 64 ? '0x' : slice(signature, at + 1);
      return concat([head, numberToHex(to, { size: 1 }), tail]);
    }
  }
}

describe('whose a signature is', () => {
  it('is found exactly as JavaScript wallets find it, whatever is changed in the signature', async () => {
    const by = fc.constantFrom(...accounts);
    await fc.assert(
      fc.asyncProperty(
        by,
        fc.string({ unit: 'binary', maxLength: 60 }),
        change,
        async (account, message, what) => {
          const signature = changed(await account.signMessage({ message }), what);
          const hash = hashMessage(message);
          const told = await recoverAddress({ hash, signature }).catch(() => null);
          expect(signerOf(hash, signature)).toBe(told);
          if (what.do === 'nothing') expect(told).toBe(account.address);
        },
      ),
      { numRuns: 150 },
    );
  });
});

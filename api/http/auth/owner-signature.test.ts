import fc from 'fast-check';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../agents/errors.ts';
import { type Address, lowerAddress } from '../../../agents/ids.ts';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { signatureVerifier } from '../../../chain/tx/signature.ts';
import type { UsedSignatures } from '../../../store/http/used-signatures.ts';
import type { Request } from '../app.ts';
import { type OwnerDemand, ownerSignature } from './owner-signature.ts';

const ATTEMPTS = 10_000;
const POOL = 150;

/** Used signatures of one process. The conformance tests hold the one on Postgres to the same behaviour. */
function usedInMemory(): UsedSignatures {
  const used = new Set<string>();
  return {
    isUsed: async (nonce) => used.has(nonce),
    async use(nonce) {
      if (used.has(nonce)) return false;
      used.add(nonce);
      return true;
    },
  };
}

interface Signed {
  readonly by: PrivateKeyAccount;
  readonly nonce: string;
  readonly message: string;
  readonly signature: `0x${string}`;
  readonly asked: Pick<Request, 'method' | 'url' | 'rawBody'>;
}

let clock = new Date('2026-11-21T12:00:00Z');
/** Who stands behind a wallet, where it is not the wallet itself. */
const heldBy = new Map<string, Address>();
const requireOwner = ownerSignature({
  used: usedInMemory(),
  verify: signatureVerifier(new Map()),
  clock: () => clock,
  beneficialOwnerOf: async (wallet) => heldBy.get(wallet.toLowerCase()) ?? lowerAddress(wallet),
  seed: seedKeys(`0x${'5e'.repeat(32)}`),
  baseUrl: 'https://handshake.test',
});

const owners = Array.from({ length: 12 }, (_, i) =>
  privateKeyToAccount(`0x${String(i + 1).padStart(64, 'a')}`),
);
const ask = async (asked: Signed['asked'], by: PrivateKeyAccount, authorization?: string) => {
  const headers = authorization === undefined ? {} : { authorization };
  const request = { ...asked, headers } as unknown as Request;
  await requireOwner(request, { wallet: by.address, statement: 'Do the act', chainId: 1002 });
};
const codeOf = async (attempt: Promise<unknown>): Promise<AppError> =>
  await attempt.then(
    () => expect.fail('it passed'),
    (error) => error as AppError,
  );
const credentials = (nonce: string, signature: string) => `EIP191 nonce="${nonce}", signature="${signature}"`;

async function signOne(i: number): Promise<Signed> {
  const by = owners[i % owners.length]!;
  const asked = { method: 'POST', url: `/act/${i}?mode=a`, rawBody: Buffer.from(`{"n":${i}}`) };
  const { sign } = (await codeOf(ask(asked, by))).extra as { sign: { nonce: string; message: string } };
  return { by, asked, ...sign, signature: await by.signMessage(sign) };
}

const byte = fc.integer({ min: 0, max: 63 });
const attempt = fc.record({
  at: fc.nat({ max: POOL - 1 }),
  other: fc.nat({ max: POOL - 1 }),
  how: fc.oneof(
    fc.constantFrom('replayed', 'late', 'other nonce', 'other path', 'other method', 'other body', 'none'),
    fc.record({ byte, by: fc.integer({ min: 1, max: 255 }) }),
    fc.record({ stranger: fc.nat({ max: owners.length - 2 }) }),
    fc.record({ junk: fc.string({ maxLength: 80 }) }),
  ),
});
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

it(`refuses ${ATTEMPTS} replayed, altered, expired, foreign and moved signatures, and burns no good one`, async () => {
  const begun = clock;
  const used = await Promise.all(Array.from({ length: POOL }, (_, i) => signOne(i)));
  for (const s of used) await ask(s.asked, s.by, credentials(s.nonce, s.signature));
  const fresh = await Promise.all(Array.from({ length: POOL }, (_, i) => signOne(POOL + i)));
  const foreign = new Map<string, `0x${string}`>();

  /** Makes one attempt. @returns the error code it was refused with, and the one it should be refused with */
  async function refusalOf({ at, other, how }: Attempt): Promise<[code: string, expected: string]> {
    const own = fresh[at]!;
    const { by, asked, nonce, signature } = own;
    const refused = async (authorization: string, of: Pick<Signed, 'asked' | 'by'> = own, when = begun) => {
      clock = when;
      const error = await codeOf(ask(of.asked, of.by, authorization));
      expect(error).toBeInstanceOf(AppError);
      expect(error.extra).toHaveProperty('sign.message');
      return error.code;
    };
    if (how === 'replayed') {
      const old = used[other]!;
      return [await refused(credentials(old.nonce, old.signature), old), 'signature-used'];
    }
    if (how === 'late') {
      const late = new Date(begun.getTime() + 600_000 + other);
      return [await refused(credentials(nonce, signature), own, late), 'signature-expired'];
    }
    if (how === 'other nonce') {
      const { nonce: theirs } = fresh[(at + 1 + (other % (POOL - 1))) % POOL]!;
      return [await refused(credentials(theirs, signature)), 'signature-invalid'];
    }
    if (how === 'none') return [await refused('EIP191'), 'signature-invalid'];
    if (typeof how === 'string') {
      const moved = {
        method: how === 'other method' ? 'DELETE' : asked.method,
        url: how === 'other path' ? `${asked.url}&x=${other}` : asked.url,
        rawBody: how === 'other body' ? Buffer.from(`{"n":"${other}"}`) : asked.rawBody,
      };
      return [await refused(credentials(nonce, signature), { asked: moved, by }), 'signature-invalid'];
    }
    if ('byte' in how) {
      const bytes = Buffer.from(signature.slice(2), 'hex');
      bytes[how.byte] = bytes[how.byte]! ^ how.by;
      return [await refused(credentials(nonce, `0x${bytes.toString('hex')}`)), 'signature-invalid'];
    }
    if ('stranger' in how) {
      // Picks an owner other than the right one.
      const stranger = owners[(owners.indexOf(by) + 1 + how.stranger) % owners.length]!;
      const key = `${nonce} ${stranger.address}`;
      const theirs = foreign.get(key) ?? (await stranger.signMessage({ message: own.message }));
      foreign.set(key, theirs);
      return [await refused(credentials(nonce, theirs)), 'signature-invalid'];
    }
    return [await refused(`EIP191 nonce="${nonce}", signature="${how.junk}"`), 'signature-invalid'];
  }

  await fc.assert(
    fc.asyncProperty(attempt, async (tried) => {
      const [code, expected] = await refusalOf(tried);
      expect([tried, code]).toEqual([tried, expected]);
    }),
    { numRuns: ATTEMPTS },
  );

  clock = begun;
  for (const s of fresh) await ask(s.asked, s.by, credentials(s.nonce, s.signature));
}, 300_000);

it('uses a signature up once a request, however often that asks, and never a second time', async () => {
  for (const first of [0, 1]) {
    const { by, asked, nonce, signature } = await signOne(2 * POOL + first);
    const prove = () => {
      const request = { ...asked, headers: { authorization: credentials(nonce, signature) } };
      const demand = { wallet: by.address, statement: 'Do the act', chainId: 1002 };
      return requireOwner.prove(request as unknown as Request, demand);
    };
    // Both are verified before either is used up.
    const proven = [await prove(), await prove()];
    const [one, late] = [proven[first]!, proven[1 - first]!];
    await Promise.all([one.useUp(), one.useUp()]);
    await one.useUp();
    for (let i = 0; i < 2; i++) expect((await codeOf(late.useUp())).code).toBe('signature-used');
  }
});

describe('what is said by when it was asked for', () => {
  it('is signed as it was then, with its resources, whatever is said to others by now', async () => {
    const by = owners[0]!;
    const over = new Date(clock.getTime() + 30_000);
    const demand: OwnerDemand = {
      wallet: by.address,
      statement: (issuedAt) =>
        issuedAt < over
          ? { statement: 'Stop it', says: 'Stop it: the lot', resources: ['urn:words:the-lot'] }
          : 'Stop what is over',
      chainId: 1002,
    };
    const request = (authorization?: string) =>
      ({
        method: 'POST',
        url: '/deals',
        rawBody: Buffer.alloc(0),
        headers: { authorization },
      }) as unknown as Request;
    const begun = clock;
    const { sign } = (await codeOf(requireOwner(request(), demand))).extra as {
      sign: { message: string; nonce: string; says: string };
    };
    expect(sign.says).toBe('Stop it: the lot');
    expect(sign.message).toContain('urn:words:the-lot');
    clock = new Date(over.getTime() + 1_000);
    const signature = await by.signMessage({ message: sign.message });
    await requireOwner(request(credentials(sign.nonce, signature)), demand);
    const later = (await codeOf(requireOwner(request(), demand))).extra as { sign: { says: string } };
    expect(later.sign.says).toBe('Stop what is over');
    clock = begun;
  });
});

describe('a read session', () => {
  const [mine, other] = [owners[0]!, owners[1]!];
  const themselves = ({ address }: PrivateKeyAccount) => {
    const wallet = lowerAddress(address);
    return { wallet, beneficialOwner: wallet };
  };
  const read = async (method: string, by: PrivateKeyAccount, token: string) => {
    const asked = { method, url: '/agent/desk/deals', rawBody: Buffer.alloc(0) };
    await ask(asked, by, `ReadSession ${token}`);
  };

  it('reads as often as wanted for ten minutes, and only what is its wallet’s own', async () => {
    const begun = clock;
    const { token, expiresAt } = requireOwner.openSession(themselves(mine));
    expect(expiresAt.getTime() - begun.getTime()).toBe(600_000);
    for (let i = 0; i < 3; i++) await read('GET', mine, token);
    expect((await codeOf(read('GET', other, token))).code).toBe('signature-invalid');
    clock = expiresAt;
    const late = await codeOf(read('GET', mine, token));
    expect([late.code, 'sign' in late.extra]).toEqual(['signature-invalid', true]);
    clock = begun;
  });

  it('of an account ends when another one holds the account', async () => {
    const wallet = lowerAddress(mine.address);
    heldBy.set(wallet, lowerAddress(other.address));
    const { token } = requireOwner.openSession({ wallet, beneficialOwner: lowerAddress(other.address) });
    await read('GET', mine, token);
    heldBy.delete(wallet);
    expect((await codeOf(read('GET', mine, token))).code).toBe('signature-invalid');
  });

  it('never writes', async () => {
    const { token } = requireOwner.openSession(themselves(mine));
    for (const method of ['POST', 'DELETE', 'PUT'])
      expect((await codeOf(read(method, mine, token))).code).toBe('signature-invalid');
  });
});

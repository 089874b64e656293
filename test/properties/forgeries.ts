import type { PaymentRequired } from '@x402/core/types';
import fc from 'fast-check';
import { concat, encodeAbiParameters, type Hex, parseAbiParameters, size, toHex } from 'viem';
import { ethersPayment, type WirePayment } from '../fixtures/wallets/payers.ts';

/** A request that is paid for. */
export interface Target {
  readonly path: string;
  readonly init?: RequestInit;
}

type Authorization = WirePayment['payload']['authorization'];
type Signed = keyof Authorization;

/** One way in which a payment is not what was asked for, or not the payer's. */
export type Forgery = { readonly target: number; readonly accept: number } & (
  | { readonly kind: 'field changed after signing'; readonly field: Signed; readonly value: string }
  | { readonly kind: 'signed otherwise'; readonly fields: Partial<Authorization> }
  | { readonly kind: 'expired' | 'not valid yet'; readonly seconds: number }
  | { readonly kind: 'signature bit flipped'; readonly bit: number }
  | { readonly kind: 'signature with another v'; readonly v: number }
  | { readonly kind: 'signature in its other form' | 'signature compact' }
  | { readonly kind: 'signature of noise'; readonly bytes: Hex }
  | { readonly kind: 'signature with more behind it'; readonly bytes: Hex }
  | { readonly kind: 'signature of a wallet to be made'; readonly factory: Hex; readonly bytes: Hex }
  | { readonly kind: 'terms changed'; readonly terms: Readonly<Record<string, unknown>> }
  | {
      readonly kind:
        | 'terms of the other chain'
        | 'for the wrong price'
        | 'of the other payer'
        | 'borrowed signature';
    }
  | { readonly kind: 'without money'; readonly key: Hex }
  | { readonly kind: 'extension changed' }
  | { readonly kind: 'settled, for another request'; readonly which: number }
  | { readonly kind: 'settled, with another signature'; readonly which: number; readonly bytes: Hex }
  | { readonly kind: 'settled behind our back'; readonly which: number }
);

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((b) => toHex(b));
const uint = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(String);
const FIELDS: { readonly [F in Signed]: fc.Arbitrary<string> } = {
  from: hex(20),
  to: hex(20),
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: hex(32),
};
const amount = fc.oneof(fc.constantFrom('0', '1', '9999', '10001', '100000000'), uint);
const terms = fc.oneof(
  amount.map((value) => ({ amount: value })),
  hex(20).map((payTo) => ({ payTo })),
  hex(20).map((asset) => ({ asset })),
  fc.integer({ min: 100_000, max: 1_000_000 }).map((id) => ({ network: `eip155:${id}` })),
  fc.constantFrom('upto', 'Exact', '').map((scheme) => ({ scheme })),
  fc.constantFrom('USD Coin', 'usdc', '').map((name) => ({ extra: { name, version: '2' } })),
  fc.integer({ min: 301, max: 1_000_000 }).map((maxTimeoutSeconds) => ({ maxTimeoutSeconds })),
);
const which = fc.nat({ max: 1_000 });
/** A private key of a wallet that nobody has filled. */
const key = hex(31).map((bytes): Hex => `0x01${bytes.slice(2)}`);

const ways = fc.oneof(
  fc
    .constantFrom(...(Object.keys(FIELDS) as Signed[]))
    .chain((field) =>
      FIELDS[field].map((value) => ({ kind: 'field changed after signing' as const, field, value })),
    ),
  fc
    .oneof(
      hex(20).map((to) => ({ to })),
      amount.map((value) => ({ value })),
    )
    .map((fields) => ({ kind: 'signed otherwise' as const, fields })),
  fc.record({
    kind: fc.constantFrom('expired' as const, 'not valid yet' as const),
    seconds: fc.integer({ min: 3_600, max: 100_000_000 }),
  }),
  fc.nat({ max: 511 }).map((bit) => ({ kind: 'signature bit flipped' as const, bit })),
  // Of 27 and 28, and of 0 and 1 that some write for them, the wrong one is taken.
  fc.nat({ max: 255 }).map((v) => ({ kind: 'signature with another v' as const, v })),
  fc
    .constantFrom('signature in its other form' as const, 'signature compact' as const)
    .map((kind) => ({ kind })),
  hex(65).map((bytes) => ({ kind: 'signature of noise' as const, bytes })),
  fc
    .integer({ min: 1, max: 200 })
    .chain(hex)
    .map((bytes) => ({ kind: 'signature with more behind it' as const, bytes })),
  fc.record({
    kind: fc.constant('signature of a wallet to be made' as const),
    factory: hex(20),
    bytes: hex(68),
  }),
  terms.map((changed) => ({ kind: 'terms changed' as const, terms: changed })),
  fc
    .constantFrom(
      'terms of the other chain' as const,
      'for the wrong price' as const,
      'of the other payer' as const,
      'borrowed signature' as const,
    )
    .map((kind) => ({ kind })),
  key.map((of) => ({ kind: 'without money' as const, key: of })),
  fc.constant({ kind: 'extension changed' as const }),
  which.map((n) => ({ kind: 'settled, for another request' as const, which: n })),
  fc.record({ kind: fc.constant('settled, with another signature' as const), which, bytes: hex(64) }),
  which.map((n) => ({ kind: 'settled behind our back' as const, which: n })),
);

/** @param targets how many requests there are to pay for */
export function forgeries(targets: number): fc.Arbitrary<Forgery> {
  const place = fc.record({ target: fc.nat({ max: targets - 1 }), accept: fc.nat({ max: 1 }) });
  return fc.tuple(place, ways).map(([at, way]): Forgery => ({ ...at, ...way }));
}

/** What forgers have at hand. */
export interface Den {
  readonly targets: readonly Target[];
  /** Asks more than the first target does. */
  readonly dearer: Target;
  /** In the order of the targets; what the payer of an honest payment signs. */
  readonly challenges: readonly PaymentRequired[];
  /** Two wallets with money on every chain. */
  readonly payers: readonly [Hex, Hex];
  /** What the service has settled, each for one target. */
  readonly settled: readonly { readonly payment: WirePayment; readonly target: number }[];
  /** What was settled on the chain by others: the service never saw it. */
  readonly carried: readonly WirePayment[];
}

const DAY = 86_400;
const CURVE = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MAGIC = `0x${'6492'.repeat(16)}` as const;
const seconds = (): number => Math.floor(Date.now() / 1000);

/** A payment that is good, for long enough that no slow machine lets it expire. */
export function honest(den: Pick<Den, 'challenges'>, payer: Hex, target: number, accept = 0, over = {}) {
  const authorization = { validBefore: String(seconds() + DAY), ...over };
  return ethersPayment(payer, den.challenges[target]!, { accept, authorization });
}

/** Makes the forgery: what is sent, and where. */
export async function forge(den: Den, forgery: Forgery): Promise<{ payment: WirePayment; to: Target }> {
  const { target, accept } = forgery;
  const to = den.targets[target]!;
  const [payer, other] = den.payers;
  const sign = (over: Partial<Authorization> = {}, by: Hex = payer) => honest(den, by, target, accept, over);
  const signedWith = async (change: (signature: Hex) => Hex) => {
    const payment = await sign();
    payment.payload.signature = change(payment.payload.signature as Hex);
    return { payment, to };
  };
  switch (forgery.kind) {
    case 'field changed after signing': {
      const payment = await sign();
      payment.payload.authorization[forgery.field] = forgery.value;
      return { payment, to };
    }
    case 'signed otherwise':
      return { payment: await sign(forgery.fields), to };
    case 'expired':
      return {
        payment: await sign({ validBefore: String(seconds() - forgery.seconds), validAfter: '0' }),
        to,
      };
    case 'not valid yet': {
      const validAfter = seconds() + forgery.seconds;
      return {
        payment: await sign({ validAfter: String(validAfter), validBefore: String(validAfter + DAY) }),
        to,
      };
    }
    case 'signature bit flipped':
      return await signedWith((s) => toHex(BigInt(s) ^ (1n << BigInt(forgery.bit + 8)), { size: 65 }));
    case 'signature with another v':
      return await signedWith((s) => withV(s, otherV(Number(`0x${s.slice(-2)}`), forgery.v)));
    case 'signature in its other form':
      return await signedWith((s) => {
        const turned = toHex(CURVE - BigInt(`0x${s.slice(66, 130)}`), { size: 32 });
        return concat([s.slice(0, 66) as Hex, turned, s.endsWith('1b') ? '0x1c' : '0x1b']);
      });
    case 'signature compact':
      return await signedWith((s) => {
        const high = s.endsWith('1c') ? 1n << 255n : 0n;
        return concat([s.slice(0, 66) as Hex, toHex(BigInt(`0x${s.slice(66, 130)}`) | high, { size: 32 })]);
      });
    case 'signature of noise':
      return await signedWith(() => forgery.bytes);
    case 'signature with more behind it':
      return await signedWith((s) => concat([s, forgery.bytes]));
    case 'signature of a wallet to be made': {
      const { factory, bytes } = forgery;
      return await signedWith((s) =>
        concat([
          encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [factory, bytes, s]),
          MAGIC,
        ]),
      );
    }
    case 'terms changed': {
      const payment = await sign();
      payment.accepted = { ...payment.accepted, ...forgery.terms } as WirePayment['accepted'];
      return { payment, to };
    }
    case 'terms of the other chain': {
      const payment = await sign();
      return { payment: { ...payment, accepted: den.challenges[target]!.accepts[1 - accept]! }, to };
    }
    case 'for the wrong price':
      return { payment: await honest(den, payer, 0, accept), to: den.dearer };
    case 'of the other payer': {
      const { from } = (await sign()).payload.authorization;
      return { payment: await sign({ from }, other), to };
    }
    case 'borrowed signature': {
      const payment = await sign();
      payment.payload.signature = (await sign()).payload.signature;
      return { payment, to };
    }
    case 'without money':
      return { payment: await sign({}, forgery.key), to };
    case 'extension changed': {
      const bazaar = { info: { input: { type: 'http', method: 'DELETE' } } };
      return { payment: { ...(await sign()), extensions: { bazaar } }, to };
    }
    case 'settled, for another request': {
      const { payment, target: own } = den.settled[forgery.which % den.settled.length]!;
      const elsewhere = den.targets.filter((_, i) => i !== own);
      return { payment, to: elsewhere[target % elsewhere.length]! };
    }
    case 'settled, with another signature': {
      const { payment, target: own } = den.settled[forgery.which % den.settled.length]!;
      const signature = concat([forgery.bytes, '0x1b']);
      return { payment: { ...payment, payload: { ...payment.payload, signature } }, to: den.targets[own]! };
    }
    case 'settled behind our back': {
      return { payment: den.carried[forgery.which % den.carried.length]!, to };
    }
  }
}

function withV(signature: Hex, v: number): Hex {
  if (size(signature) !== 65) throw new Error('a wallet signs 65 bytes');
  return concat([signature.slice(0, 130) as Hex, toHex(v, { size: 1 })]);
}

/** Another recovery id than the right one, however it is written. */
function otherV(right: number, v: number): number {
  return v === right || v === right - 27 ? right ^ 7 : v;
}

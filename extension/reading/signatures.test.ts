import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { readCall } from './read-call.ts';
import type { Reading } from './reading.ts';

const ME = `0x${'11'.repeat(20)}`;
const THEM = `0x${'ab'.repeat(20)}` as const;
const TOKEN = `0x${'cd'.repeat(20)}` as const;
const KNOWN = `0x${'ef'.repeat(20)}`;

const fields = (declared: string) =>
  declared.split(', ').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }));
const EIP712Domain = fields('string name, uint256 chainId, address verifyingContract');
const domain = { name: 'X', chainId: 1, verifyingContract: TOKEN };
const PERMIT = 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline';
const permit = { owner: ME, spender: THEM, value: '5', nonce: 0, deadline: 4102444800 };
const ITEM =
  'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount';
const ORDER = {
  EIP712Domain,
  OrderComponents: fields('address offerer, OfferItem[] offer, ConsiderationItem[] consideration'),
  OfferItem: fields(ITEM),
  ConsiderationItem: fields(`${ITEM}, address recipient`),
};
const order = (price: object) => ({
  offerer: ME,
  offer: [{ itemType: 2, token: TOKEN, identifierOrCriteria: '7', startAmount: '1', endAmount: '1' }],
  consideration: [{ itemType: 0, token: ME, identifierOrCriteria: 0, recipient: ME, ...price }],
});

const sign = (typed: object, ...more: unknown[]): Reading =>
  readCall(
    { method: 'eth_signTypedData_v4', params: [ME, JSON.stringify({ domain, ...typed }), ...more] },
    { host: 'shop.example', chainId: 1 },
  );
const typedPermit = {
  types: { EIP712Domain, Permit: fields(PERMIT) },
  ...{ primaryType: 'Permit', message: permit },
};
const signPermit = (message: object = {}, types: object = {}) =>
  sign({
    ...typedPermit,
    types: { ...typedPermit.types, ...types },
    message: { ...permit, ...message },
  });
const said = ({ changes, findings }: Reading): string =>
  [...changes, ...findings].map(({ text, ...of }) => `${Object.values(of)[0]}: ${text}`).join('\n');

describe('typed data is read by the fields that it declares', () => {
  it('and whole where it is a form that is known', () => {
    expect(signPermit()).toMatchObject({ whole: true, parties: [THEM], subject: THEM, notChecked: [] });
  });

  it('so that an order for nothing does not pass for a permit of nothing', () => {
    const message = { ...order({ startAmount: '0', endAmount: '0' }), spender: KNOWN, value: '0' };
    const words = said(sign({ types: ORDER, primaryType: 'OrderComponents', message }));
    expect(words).toContain('stop: It sells for nothing');
    expect(words).not.toContain('may take nothing');
  });

  it('so that nobody is named who is not signed for', () => {
    const decoys = { operator: KNOWN, allowed: false, details: [{ token: KNOWN, amount: '0' }] };
    expect(said(signPermit(decoys))).toBe(said(signPermit()));
    const bare = { EIP712Domain: fields('string name, uint256 chainId') };
    expect(said(signPermit({}, bare))).toContain('a token that it does not name');
  });

  it.each([
    ['the type itself', { Permit: undefined }],
    ['a field without a type', { Permit: [{ name: 'owner' }] }],
    ['its domain', { EIP712Domain: undefined }],
  ])('and not whole where it does not declare %s', (_, types) => {
    const reading = signPermit({}, types);
    expect(reading.whole).toBe(false);
    expect(said(reading)).toContain('warn: It does not declare which of its fields are signed.');
    expect(said(reading)).toContain(`${THEM} may take 5 units`);
  });

  it('and not whole where it declares one that is not known', () => {
    const reading = signPermit(
      { witness: { recipient: THEM, least: '0' } },
      { Permit: fields(`${PERMIT}, Witness witness`), Witness: fields('address recipient, uint256 least') },
    );
    expect(reading.whole).toBe(false);
    expect(said(reading)).toContain('warn: It also signs “witness”, which cannot be read here.');
  });

  it('and stopped where a second stands beside it', () => {
    const other = JSON.stringify({ primaryType: 'Hello', domain, message: { greeting: 'hi' } });
    expect(said(sign(typedPermit, other))).toContain('stop: It carries several things to sign');
  });
});

describe('what wallets and readers take for different things', () => {
  const SAFE = 'address to, uint256 value, bytes data, uint8 operation, uint256 gasPrice';
  const safe = (message: object): Reading =>
    sign({
      types: { EIP712Domain, SafeTx: fields(SAFE) },
      primaryType: 'SafeTx',
      message: { to: TOKEN, value: '0', data: '0x', operation: 0, gasPrice: '0', ...message },
    });
  /** Wallets read numbers as `BigInt` does; this one is none of the spellings that are read here. */
  const UNREAD = ['0b1', '+1', '0o1', true, null, '1e0'];

  it('is never an ordinary call of a Safe', () => {
    for (const operation of UNREAD) expect(said(safe({ operation }))).toMatch(/^stop: .*delegatecall/m);
    for (const operation of [0, '0', '0x0']) expect(said(safe({ operation }))).not.toContain('delegatecall');
  });

  it('is never a call without a fee', () => {
    for (const gasPrice of UNREAD) {
      expect(said(safe({ gasPrice }))).toContain('warn: It pays for gas besides');
      expect(safe({ gasPrice }).whole).toBe(false);
    }
  });

  it('is not read whole where an address or a call has no 0x before it', () => {
    const call = 'a9059cbb'.padEnd(136, '0');
    for (const message of [{ data: call }, { to: TOKEN.slice(2) }]) {
      expect(safe(message).whole).toBe(false);
      expect(said(safe(message))).toContain('which wallets read in several ways.');
    }
    expect(signPermit({ spender: THEM.slice(2) }).whole).toBe(false);
    expect(sign({ ...typedPermit, domain: { ...domain, verifyingContract: TOKEN.slice(2) } }).whole).toBe(
      false,
    );
    expect(safe({ data: `0x${call}` }).whole).toBe(true);
  });

  it('is not read whole where it is the amount of a transfer', () => {
    const TRANSFER =
      'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';
    const transfer = (value: unknown): Reading =>
      sign({
        types: { EIP712Domain, TransferWithAuthorization: fields(TRANSFER) },
        primaryType: 'TransferWithAuthorization',
        message: { from: ME, to: THEM, value, validAfter: 0, validBefore: 9, nonce: `0x${'1'.repeat(64)}` },
      });
    for (const value of UNREAD) expect(transfer(value).whole).toBe(false);
    expect(transfer('1').whole).toBe(true);
  });
});

describe('an order whose amounts change while it stands', () => {
  const sold = (price: object) =>
    said(sign({ types: ORDER, primaryType: 'OrderComponents', message: order(price) }));

  it('is told by the least that comes', () => {
    expect(sold({ startAmount: '100', endAmount: '1' })).toContain('in: 1 wei comes for it.');
    expect(sold({ startAmount: '1', endAmount: '100' })).toContain('in: 1 wei comes for it.');
    expect(sold({ startAmount: '100' })).toContain('in: 100 wei comes for it.');
  });

  it('and sells for nothing where that is nothing, or cannot be read', () => {
    for (const endAmount of ['0', 'much'])
      expect(sold({ startAmount: '100', endAmount })).toContain('stop: It sells for nothing');
  });
});

describe('an order', () => {
  const TAKER = `0x${'66'.repeat(20)}`;
  const NOBODY = `0x${'0'.repeat(40)}`;
  const ORDER_1INCH =
    'uint256 salt, address maker, address receiver, address makerAsset, address takerAsset, uint256 makingAmount, uint256 takingAmount';
  const COW =
    'address sellToken, address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, uint32 validTo, string kind';
  const inch = {
    salt: 1,
    maker: ME,
    makerAsset: TOKEN,
    takerAsset: KNOWN,
    makingAmount: 100,
    takingAmount: 1,
  };
  const cow = { sellToken: TOKEN, buyToken: KNOWN, sellAmount: 100, buyAmount: 1, validTo: 1, kind: 'sell' };
  const nft = {
    ...{ direction: 1, maker: ME, taker: NOBODY, erc20Token: TOKEN, erc20TokenAmount: 100 },
    ...{ erc721Token: KNOWN, erc721TokenId: 7 },
  };
  const NFT =
    'uint8 direction, address maker, address taker, address erc20Token, uint256 erc20TokenAmount, address erc721Token, uint256 erc721TokenId';
  const signOrder = (declared: string, message: object) =>
    sign({ types: { EIP712Domain, Order: fields(declared) }, primaryType: 'Order', message });

  it('of any form says that nobody looked at its price', () => {
    for (const reading of [
      sign({ types: ORDER, primaryType: 'OrderComponents', message: order({ startAmount: '1' }) }),
      signOrder(NFT, nft),
      signOrder(ORDER_1INCH, inch),
      signOrder(COW, cow),
    ])
      expect(reading.notChecked).toContain('Whether the price is fair was not looked at.');
  });

  it('sells where it cannot be read which way it goes', () => {
    for (const direction of ['0b0', '+0', 2, null]) {
      const words = said(signOrder(NFT, { ...nft, direction }));
      expect(words).toContain('stop: Whether it sells or buys cannot be read.');
      expect(words).toContain(`out: token 7 of the collection ${KNOWN} is offered for sale.`);
      expect(words).not.toContain('in: ');
    }
  });

  it('is stopped where the price that it sells for cannot be read', () => {
    for (const price of ['0b0', '+0', 'nothing']) {
      for (const words of [
        said(signOrder(NFT, { ...nft, direction: 0, erc20TokenAmount: price })),
        said(signOrder(COW, { ...cow, buyAmount: price })),
      ]) {
        expect(words).toContain('stop: It may sell for nothing: its price cannot be read.');
        expect(words).not.toContain('in: ');
      }
    }
  });

  it('shows no token of a collection where it cannot be read what is sold, or to whom the price goes', () => {
    const sold = order({ startAmount: '1' });
    const words = said(
      sign({
        types: ORDER,
        primaryType: 'OrderComponents',
        message: { ...sold, offer: [{ ...sold.offer[0], itemType: '0b1' }] },
      }),
    );
    expect(words).toContain(`out: Something of ${TOKEN} that cannot be read is offered for sale.`);
    const [item] = sold.consideration;
    const message = { ...sold, offerer: 'me.eth', consideration: [{ ...item, recipient: 'them.eth' }] };
    expect(said(sign({ types: ORDER, primaryType: 'OrderComponents', message }))).toContain(
      'stop: It sells for nothing',
    );
  });

  it('is for its signer where it names nobody else, and stopped where it does', () => {
    for (const [declared, message] of [
      [ORDER_1INCH, inch],
      [COW, cow],
    ] as const) {
      for (const receiver of [undefined, ME, NOBODY, 0])
        expect(said(signOrder(declared, { ...message, receiver }))).toContain(
          `in: 1 units of ${KNOWN} comes for it.`,
        );
      for (const [receiver, who] of [
        [TAKER, TAKER],
        [BigInt(TAKER).toString(), TAKER],
        ['taker.eth', 'somebody who cannot be read'],
        [7, 'somebody who cannot be read'],
      ] as const) {
        const words = said(signOrder(declared, { ...message, receiver }));
        expect(words).not.toContain('in: ');
        expect(words).toContain(`out: 1 units of ${KNOWN}, which comes for it, goes to ${who}.`);
        expect(words).toContain(`stop: What comes for it goes to ${who}, and not to the account that signs.`);
      }
    }
    expect(signOrder(COW, { ...cow, receiver: TAKER }).parties).toEqual([TAKER]);
  });
});

describe('a call that is signed for somebody else to send', () => {
  const ABI = parseAbi([
    'function execute(address,uint256,bytes)',
    'function executeBatch((address to, uint256 value, bytes data)[])',
  ]);
  const SAFE =
    'address to, uint256 value, bytes data, uint8 operation, uint256 gasPrice, address refundReceiver';
  const safe = (message: object) =>
    sign({
      types: { EIP712Domain, SafeTx: fields(SAFE) },
      primaryType: 'SafeTx',
      message: { to: TOKEN, value: '0', data: '0x', operation: 0, gasPrice: '0', ...message },
    });

  it('tells what the calls inside it send', () => {
    for (const data of [
      encodeFunctionData({ abi: ABI, functionName: 'execute', args: [THEM, 5n * 10n ** 18n, '0x'] }),
      encodeFunctionData({
        ...{ abi: ABI, functionName: 'executeBatch' },
        args: [[{ to: THEM, value: 5n * 10n ** 18n, data: '0x' }]],
      }),
    ]) {
      const reading = safe({ data });
      expect(said(reading)).toContain(`out: 5 of the chain’s own coin goes to ${THEM}.`);
      expect(reading.subject).toBe(THEM);
    }
  });

  it('tells that it pays for gas, and to whom', () => {
    const reading = safe({ gasPrice: '1000000000', refundReceiver: THEM });
    expect(said(reading)).toContain(`warn: It pays for gas besides, to ${THEM}.`);
    expect(reading.whole).toBe(false);
    expect(safe({}).whole).toBe(true);
  });
});

describe('a message', () => {
  const shown = (...params: unknown[]) =>
    readCall({ method: 'personal_sign', params }, { host: 'shop.example', chainId: 1 });

  it('is the one that wallets sign, whatever else a page adds', () => {
    const bytes = `0x${'68'.repeat(20)}`;
    expect(shown(bytes, ME, 'Hello').text).toBe('h'.repeat(20));
    expect(shown('68656c6c6f776f726c6468656c6c6f776f726c64', ME, 'Hello').text).not.toBe('Hello');
    expect(shown(ME, 'Hello', 'Bye').text).toBe('Hello');
  });
});

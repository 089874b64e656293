import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { readCall } from './read-call.ts';
import type { Reading } from './reading.ts';

const ME = `0x${'11'.repeat(20)}`;
const THEM = `0x${'ab'.repeat(20)}` as const;
const TOKEN = `0x${'cd'.repeat(20)}` as const;
const HOST = 'shop.example';
const ABI = parseAbi([
  'function approve(address,uint256)',
  'function setApprovalForAll(address,bool)',
  'function transfer(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function safeTransferFrom(address,address,uint256)',
  'function increaseAllowance(address,uint256)',
  'function decreaseAllowance(address,uint256)',
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'function cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)',
  'function approve(address,address,uint160,uint48)',
  'function multicall(bytes[])',
  'function execute(address,uint256,bytes)',
]);
const MOST = 2n ** 256n - 1n;
const WORD = `0x${'00'.repeat(32)}`;

const send = (tx: object): Reading =>
  readCall({ method: 'eth_sendTransaction', params: [{ from: ME, ...tx }] }, { host: HOST, chainId: 1 });
const sign = (typed: object): Reading =>
  readCall(
    { method: 'eth_signTypedData_v4', params: [ME, JSON.stringify(typed)] },
    { host: HOST, chainId: 1 },
  );
const said = ({ changes, findings }: Reading) =>
  [
    ...changes.map(({ way, text }) => `${way}: ${text}`),
    ...findings.map(({ level, text }) => `${level}: ${text}`),
  ].join('\n');
const encoded = (functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]);

describe('a transaction', () => {
  it.each([
    ['approve', [THEM, MOST], `allow: ${THEM} may take any amount of ${TOKEN}, at any time.`],
    ['approve', [THEM, 0n], `note: ${THEM} may take nothing of ${TOKEN} any more.`],
    ['decreaseAllowance', [THEM, 5n], `note: ${THEM} may take 5 units less of ${TOKEN} than before.`],
    [
      'transferWithAuthorization',
      [ME, THEM, 7n, 0n, 9n, WORD, 27, WORD, WORD],
      `out: 7 of ${TOKEN}, from ${ME}, goes to ${THEM}.`,
    ],
    ['increaseAllowance', [THEM, 5n], `allow: ${THEM} may take 5 units of ${TOKEN}, at any time.`],
    [
      'setApprovalForAll',
      [THEM, true],
      `allow: ${THEM} may take every token of the collection ${TOKEN}, at any time.`,
    ],
    ['transfer', [THEM, 7n], `out: 7 units of ${TOKEN} goes to ${THEM}.`],
    ['transferFrom', [ME, THEM, 7n], `out: 7 of ${TOKEN}, from ${ME}, goes to ${THEM}.`],
    ['safeTransferFrom', [ME, THEM, 9n], `out: 9 of the collection ${TOKEN}, from ${ME}, goes to ${THEM}.`],
  ])('that calls %s is told: %#', (name, args, words) => {
    const reading = send({ to: TOKEN, data: encoded(name, args) });
    expect(said(reading)).toBe(words);
    expect(reading.subject).toBe(THEM);
    expect(reading.addresses).toContain(THEM);
  });

  it('that takes an authorised transfer back says so, also where it is signed', () => {
    const data = encoded('cancelAuthorization', [ME, WORD, 27, WORD, WORD]);
    const typed = {
      types: {
        EIP712Domain: [{ name: 'verifyingContract', type: 'address' }],
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      ...{ primaryType: 'CancelAuthorization', domain: { verifyingContract: TOKEN } },
      message: { authorizer: ME, nonce: WORD },
    };
    for (const reading of [send({ to: TOKEN, data }), sign(typed)]) {
      expect(said(reading)).toBe(`note: It takes back a transfer of ${TOKEN} that ${ME} has signed.`);
      expect(reading).toMatchObject({ subject: TOKEN, whole: true });
    }
    const more = { ...typed.message, spender: THEM };
    expect(said(sign({ ...typed, types: {}, message: more }))).not.toContain('takes back');
  });

  it('that carries others is told call by call', () => {
    const inner = encoded('approve', [THEM, MOST]);
    for (const data of [encoded('multicall', [[inner]]), encoded('execute', [TOKEN, 0n, inner])])
      expect(said(send({ to: TOKEN, data }))).toContain(`${THEM} may take any amount of ${TOKEN}`);
  });

  it('names every address in it, in whatever spelling', () => {
    const upper = `0x${THEM.slice(2).toUpperCase()}`;
    expect(send({ to: upper }).addresses).toContain(THEM);
    expect(send({ to: TOKEN, data: `0x12345678${'00'.repeat(7)}${THEM.slice(2)}` }).addresses).toContain(
      THEM,
    );
    // A digit is missing in front, and a prefix.
    const odd = encoded('approve', [THEM, MOST]).replace('0x0', '0x');
    const reading = send({ to: TOKEN, data: odd, value: 'ffffffffff' });
    expect(reading.addresses).toContain(THEM);
    expect(said(reading)).toContain('0.000001099511627775 of the chain’s own coin');
    expect(said(reading)).toContain(`${THEM} may take any amount`);
  });

  it('that says two things at once, or hands the account to code, is stopped', () => {
    const one = encoded('approve', [THEM, 0n]);
    const other = encoded('approve', [THEM, MOST]);
    expect(said(send({ to: TOKEN, data: one, input: other }))).toContain(
      'stop: It carries two different calls',
    );
    expect(said(send({ to: TOKEN, authorizationList: [{ address: THEM }] }))).toContain('(EIP-7702)');
  });

  it('that cannot be read says so', () => {
    expect(said(send({ to: TOKEN, data: '0xdeadbeef' }))).toContain('warn: It calls 0xdeadbeef');
    expect(said(send({ data: '0x6000' }))).toContain('warn: It makes a new contract');
  });

  it('of several calls is told whole', () => {
    const calls = [
      { to: THEM, value: '0xde0b6b3a7640000' },
      { to: TOKEN, data: encoded('approve', [THEM, MOST]) },
    ];
    const reading = readCall(
      { method: 'wallet_sendCalls', params: [{ version: '2.0.0', chainId: '0x2105', calls }] },
      { host: HOST, chainId: 1 },
    );
    expect(said(reading)).toContain(`out: 1 of the chain’s own coin goes to ${THEM}.`);
    expect(said(reading)).toContain('any amount');
    expect(reading.chainId).toBe(8453);
    expect(reading.transactions).toHaveLength(2);
  });
});

describe('typed data', () => {
  const domain = { name: 'X', version: '1', chainId: 1, verifyingContract: TOKEN };
  const cases: [string, string, object, string][] = [
    [
      'a permit',
      'Permit',
      { owner: ME, spender: THEM, value: MOST.toString(), nonce: 0, deadline: 4102444800 },
      `${THEM} may take any amount of ${TOKEN}, until 2100-01-01`,
    ],
    [
      'a permit under another name',
      'Welcome',
      { owner: ME, spender: THEM, value: '5', nonce: 0, deadline: 1 },
      `${THEM} may take 5 units of ${TOKEN}`,
    ],
    [
      'a permit of DAI',
      'Permit',
      { holder: ME, spender: THEM, nonce: 0, expiry: 0, allowed: true },
      `${THEM} may take any amount`,
    ],
    [
      'a permit with the spender as a number',
      'Permit',
      { owner: ME, spender: BigInt(THEM).toString(), value: 9, nonce: 0, deadline: 1 },
      `${THEM} may take 9 units`,
    ],
    [
      'a Permit2 allowance',
      'PermitSingle',
      {
        details: {
          token: TOKEN,
          amount: '1461501637330902918203684832716283019655932542975',
          expiration: '281474976710655',
          nonce: 0,
        },
        spender: THEM,
        sigDeadline: 1,
      },
      `${THEM} may take any amount of ${TOKEN}, for ever, by Permit2`,
    ],
    [
      'a Permit2 batch',
      'PermitBatch',
      {
        details: [
          { token: TOKEN, amount: '5', expiration: 0, nonce: 0 },
          { token: ME, amount: '6', expiration: 0, nonce: 0 },
        ],
        spender: THEM,
        sigDeadline: 1,
      },
      `6 units of ${ME}`,
    ],
    [
      'a Permit2 transfer',
      'PermitTransferFrom',
      { permitted: { token: TOKEN, amount: '5' }, spender: THEM, nonce: 0, deadline: 1 },
      `${THEM} may take 5 units of ${TOKEN}, once`,
    ],
    [
      'an authorised transfer',
      'TransferWithAuthorization',
      { from: ME, to: THEM, value: '10000', validAfter: 0, validBefore: 9, nonce: '0x' },
      `out: 10000 units of ${TOKEN} goes to ${THEM}.`,
    ],
    [
      'an order',
      'OrderComponents',
      {
        offerer: ME,
        offer: [{ itemType: 2, token: TOKEN, identifierOrCriteria: '7', startAmount: '1', endAmount: '1' }],
        consideration: [
          {
            itemType: 0,
            token: ME,
            identifierOrCriteria: 0,
            startAmount: '100',
            endAmount: '100',
            recipient: ME,
          },
        ],
      },
      'in: 100 wei comes for it.',
    ],
    [
      'an order for nothing',
      'OrderComponents',
      {
        offerer: ME,
        offer: [{ itemType: 2, token: TOKEN, identifierOrCriteria: '7', startAmount: '1' }],
        consideration: [{ itemType: 0, token: ME, startAmount: '1', recipient: THEM }],
      },
      'stop: It sells for nothing',
    ],
    [
      'many orders in a tree',
      'BulkOrder',
      {
        tree: [
          [
            {
              offerer: ME,
              offer: [{ itemType: 2, token: TOKEN, identifierOrCriteria: '7', startAmount: '1' }],
              consideration: [],
            },
          ],
        ],
      },
      'stop: It sells for nothing',
    ],
    [
      'a call of a Safe',
      'SafeTx',
      { to: THEM, value: '0', data: '0x', operation: 1 },
      `stop: It lets the code of ${THEM} act as the account`,
    ],
    [
      'an order of 0x',
      'ERC721Order',
      {
        direction: '0',
        maker: ME,
        taker: THEM,
        erc20Token: ME,
        erc20TokenAmount: '42',
        erc721Token: TOKEN,
        erc721TokenId: '7',
      },
      `out: token 7 of the collection ${TOKEN} is offered`,
    ],
    ['something unknown', 'Hello', { greeting: 'hi' }, 'warn: It signs “Hello”'],
  ];

  it.each(cases)('that is %s is told', (_, primaryType, message, words) => {
    expect(said(sign({ types: {}, primaryType, domain, message }))).toContain(words);
  });

  it('names every address in it', () => {
    for (const [, primaryType, message] of cases)
      if (JSON.stringify(message).includes(THEM))
        expect(sign({ primaryType, domain, message }).addresses).toContain(THEM);
  });

  it('for another chain than the wallet’s says so', () => {
    const reading = sign({ primaryType: 'X', domain: { ...domain, chainId: '0x2105' }, message: {} });
    expect(said(reading)).toContain('It is for chain 8453, and the wallet is on 1.');
    expect(reading.chainId).toBe(8453);
  });

  it('of the first version, a list, says that it cannot be read', () => {
    const params = [[{ type: 'string', name: 'Message', value: 'Hi' }], ME];
    const reading = readCall({ method: 'eth_signTypedData', params }, { host: HOST, chainId: 1 });
    expect(said(reading)).toContain('cannot be read here');
  });
});

describe('a message', () => {
  const message = (text: string) =>
    readCall({ method: 'personal_sign', params: [text, ME] }, { host: HOST, chainId: 1 });

  it('is shown as text, also from hex and with the account in front', () => {
    expect(message('0x68656c6c6f').text).toBe('hello');
    expect(
      readCall({ method: 'personal_sign', params: [ME, 'hello'] }, { host: HOST, chainId: 1 }).text,
    ).toBe('hello');
    expect(message('a\u202eb\u200bc').text).toBe('a\ufffdb\ufffdc');
  });

  it('that signs in somewhere else is stopped', () => {
    const signIn = (host: string) =>
      `${host} wants you to sign in with your Ethereum account:\n${ME}\n\nURI: x`;
    expect(said(message(signIn('shop.example')))).toContain('note: It signs you in here.');
    expect(said(message(signIn('https://shop.example:443')))).toContain('here');
    expect(said(message(signIn('bank.example')))).toContain('stop: It signs you in at bank.example');
    const other = signIn('shop.example').replace(ME, THEM);
    expect(said(message(other))).toContain(`stop: It signs in ${THEM}, which is not the account that signs.`);
    expect(said(message(signIn('shop.example@bank.example')))).toContain(
      'stop: It signs you in at bank.example',
    );
  });

  it('of bytes that are no text says so, and 32 bytes without a prefix are stopped', () => {
    expect(said(message('0xfffefd'))).toContain('warn: It signs bytes that are no text');
    const blind = readCall(
      { method: 'eth_sign', params: [ME, `0x${'ab'.repeat(32)}`] },
      { host: HOST, chainId: 1 },
    );
    expect(said(blind)).toContain('stop: It signs 32 bytes that nobody can read');
  });
});

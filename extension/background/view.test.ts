import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { readCall } from '../reading/read-call.ts';
import { questionsOf } from './question.ts';
import type { DeterminationAnswer } from './service.ts';
import { type Bought, type View, viewOf } from './view.ts';

const ME = `0x${'11'.repeat(20)}`;
const SHOP = `0x${'ab'.repeat(20)}`;
const ORIGIN = { host: 'shop.example', verdict: 'CLEAN', reasons: [] } as const;
const CALL = { to: SHOP, value: '0x64' };

const simulated = (more: object = {}) => ({
  ...{ from: ME, assumedSender: false, outcome: 'success', reason: null, approvals: [], ...more },
});
const moved = {
  ...{ role: 'sender', party: ME, delta: '-100' },
  asset: { kind: 'native', token: null, tokenId: null, symbol: null, decimals: null },
};
const CLEAN: DeterminationAnswer = {
  ...{ verdict: 'CLEAN', reasons: [], simulation: simulated(), assetChanges: [moved] },
};

function shown(method: string, params: unknown, answer: Bought | Bought[] = CLEAN, atOnce = 1): View {
  const bought = Array.isArray(answer) ? answer : [answer];
  const reading = readCall({ method, params }, { host: 'shop.example', chainId: 1 });
  return viewOf(reading, ORIGIN, { listed: [], bought, described: 'no list', atOnce });
}
const batch = (more: object = {}, calls: unknown[] = [CALL]) => [
  { version: '2.0.0', chainId: '0x1', from: ME, calls, ...more },
];
const text = ({ changes }: View) => changes.map((c) => c.text).join('\n');

describe('what is shown of transactions', () => {
  it('is Clean where one was read whole and tried out for its account, with what then moves', () => {
    for (const view of [
      shown('wallet_sendCalls', batch()),
      shown('eth_sendTransaction', [{ from: ME, chainId: 1, ...CALL }]),
    ]) {
      expect(view).toMatchObject({ verdict: 'CLEAN', notChecked: [] });
      expect(text(view)).toBe('0.0000000000000001 of the chain’s own coin');
    }
  });

  it.each([
    ['names no account', batch({ from: undefined })],
    ['leaves out who gets a call', batch({}, [CALL, { data: '0x6000', value: '0x4563918244f40000' }])],
    ['has one call, which makes a contract', batch({}, [{ data: '0x6000' }])],
    ['has several calls', batch({}, [CALL, CALL])],
    ['asks for more than its calls', batch({ capabilities: { followUp: {} } })],
    ['is for another chain than the wallet is on', batch({ chainId: '0xa' })],
  ])('is never Clean where a batch %s', (_, params) => {
    const view = shown('wallet_sendCalls', params);
    expect(view.verdict).toBe('NOT CHECKED');
    expect([...view.notChecked, ...view.findings]).not.toEqual([]);
  });

  it('keeps what was read where not all of it was tried out', () => {
    const calls = [CALL, { data: '0x6000', value: '0x4563918244f40000' }];
    const view = shown('wallet_sendCalls', batch({}, calls));
    expect(text(view)).toContain('5 of the chain’s own coin goes to a new contract.');
    expect(view.notChecked.join()).toContain(
      `These 2 transactions were not tried out; of those named, ${SHOP} alone was asked about.`,
    );
  });

  it.each([
    ['for an address that nobody has', { simulation: simulated({ assumedSender: true }) }],
    ['for another account', { simulation: simulated({ from: SHOP }) }],
    ['without a word for whom', { simulation: simulated({ assumedSender: undefined }) }],
    ['and it failed', { simulation: simulated({ outcome: 'reverted', reason: 'it would fail' }) }],
    ['not at all', { simulation: undefined }],
  ])('is never Clean where the service tried it out %s', (_, more) => {
    const view = shown('wallet_sendCalls', batch(), { ...CLEAN, ...more });
    expect(view.verdict).toBe('NOT CHECKED');
    expect(text(view)).toContain(`goes to ${SHOP}`);
    expect(view.notChecked.join()).toContain('The service');
  });

  it('is never Clean where several are asked for at once, nor where the page alone says the chain', () => {
    expect(shown('wallet_sendCalls', batch(), CLEAN, 2)).toMatchObject({
      verdict: 'NOT CHECKED',
      notChecked: [expect.stringContaining('one of 2 requests at once')],
    });
    const unnamed = shown('eth_sendTransaction', [{ from: ME, ...CALL }]);
    expect(unnamed.verdict).toBe('NOT CHECKED');
    expect(unnamed.notChecked.join()).toContain('It names no chain');
    expect(text(unnamed)).toBe('0.0000000000000001 of the chain’s own coin');
  });

  describe('with a fee that the site sets', () => {
    const priced = (fee: object, answer: object = {}) =>
      shown('eth_sendTransaction', [{ from: ME, chainId: 1, ...CALL, ...fee }], { ...CLEAN, ...answer });
    const GAS = { gas: '0x186a0' };

    it.each([
      ['gasPrice', { gasPrice: '0x174876e800000' }, ''],
      ['maxFeePerGas', { maxFeePerGas: '0x174876e800000', maxPriorityFeePerGas: '0x1' }, ''],
      ['a tip', { maxPriorityFeePerGas: '0x174876e800000' }, ', besides what the network takes'],
    ])('is never Clean where %s makes it more than a little', (_, fee, besides) => {
      for (const answer of [{}, { assetChanges: [] }]) {
        const view = priced({ ...GAS, ...fee }, answer);
        expect(view.verdict).toBe('NOT CHECKED');
        expect(view.findings).toEqual([
          {
            level: 'warn',
            text: `At most 40.96 of the chain’s own coin goes for the fee${besides}, as the site asks.`,
          },
        ]);
        expect(view.notChecked).toContain('Whether a fee of that much is needed was not looked at.');
      }
    });

    it('is told also of a little, and stays Clean', () => {
      const view = priced({ ...GAS, maxFeePerGas: '0x174876e800' });
      expect(view).toMatchObject({ verdict: 'CLEAN', notChecked: [] });
      expect(view.findings).toEqual([
        { level: 'note', text: 'At most 0.01 of the chain’s own coin goes for the fee, as the site asks.' },
      ]);
      expect(priced({ ...GAS, maxFeePerGas: '0x174876e801' }).verdict).toBe('NOT CHECKED');
      expect(priced(GAS)).toMatchObject({ verdict: 'CLEAN', findings: [] });
    });

    it.each([
      ['no gas', { maxFeePerGas: '0x1' }],
      ['gas by a name that wallets pass over', { gasLimit: '0x5208', maxFeePerGas: '0x1' }],
      ['less gas than every transaction takes', { gas: '0x5207', maxFeePerGas: '0x1' }],
      ['gas that cannot be read', { gas: '+21000', maxFeePerGas: '0x1' }],
      ['a price that cannot be read', { ...GAS, gasPrice: '+1' }],
      ['one price of two that cannot be read', { ...GAS, maxFeePerGas: '0x1', maxPriorityFeePerGas: '1.5' }],
    ])('is never Clean where it names %s', (_, fee) => {
      const view = priced(fee);
      expect(view.verdict).toBe('NOT CHECKED');
      expect(view.findings.map(({ text: said }) => said).join()).toContain(
        'It sets what its fee is reckoned by',
      );
    });
  });

  it('is malicious wherever the service found something, however little was tried out', () => {
    const checks = [{ outcome: 'FLAG', detail: 'it is on a list' }];
    const flagged: DeterminationAnswer = { ...CLEAN, verdict: 'FLAGGED', evidence: { checks } };
    expect(shown('wallet_sendCalls', batch({}, [CALL, CALL]), flagged).verdict).toBe('FLAGGED');
  });
});

describe('what is shown where another account loses', () => {
  const SAFE = `0x${'5a'.repeat(20)}`;
  const THIEF = `0x${'66'.repeat(20)}` as const;
  const TOKEN = `0x${'cd'.repeat(20)}` as const;
  const ABI = parseAbi([
    'function execute(address,uint256,bytes)',
    'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    'function transfer(address,uint256)',
  ]);
  const inner = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [THIEF, 9n] });
  const NOBODY = `0x${'0'.repeat(40)}` as const;
  const BY_SAFE = encodeFunctionData({
    ...{ abi: ABI, functionName: 'execTransaction' },
    args: [TOKEN, 0n, inner, 0, 0n, 0n, 0n, NOBODY, NOBODY, '0x'],
  });
  const BY_ACCOUNT = encodeFunctionData({ abi: ABI, functionName: 'execute', args: [TOKEN, 0n, inner] });
  const sent = (data: string, answer: object) =>
    shown('eth_sendTransaction', [{ from: ME, chainId: 1, to: SAFE, data }], { ...CLEAN, ...answer });
  const asset = { kind: 'erc20', token: TOKEN, tokenId: null, symbol: 'T', decimals: 0 };
  const lost = { role: 'target', party: SAFE, delta: '-9', asset };

  it.each([
    ['a Safe', BY_SAFE],
    ['an account', BY_ACCOUNT],
  ])('tells what %s loses by it, and to whom as the call says', (_, data) => {
    const view = sent(data, { assetChanges: [lost, { ...lost, role: 'other', party: THIEF, delta: '9' }] });
    expect(text(view)).toBe(`9 T (${TOKEN}), of ${SAFE}`);
    expect(view.read).toContainEqual({ way: 'out', text: `9 units of ${TOKEN} goes to ${THIEF}.` });
  });

  it('tells it also where the call cannot be read', () => {
    expect(text(sent('0xdeadbeef', { assetChanges: [lost] }))).toBe(`9 T (${TOKEN}), of ${SAFE}`);
  });

  it('tells the powers that another account gives', () => {
    const approvals = [{ owner: SAFE, spender: THIEF, token: TOKEN, amount: '9', unlimited: true }];
    const view = sent('0xdeadbeef', { simulation: simulated({ approvals }), assetChanges: [] });
    expect(text(view)).toBe(`${THIEF} may take any amount of ${TOKEN}, of ${SAFE}.`);
  });

  it('tells who decides over something afterwards', () => {
    const ownerChanges = [{ contract: SAFE, event: 'AddedOwner', from: null, to: THIEF }];
    const view = sent('0xdeadbeef', { simulation: simulated({ ownerChanges }), assetChanges: [] });
    expect(text(view)).toBe(`${THIEF} decides over ${SAFE} (AddedOwner).`);
  });

  it('never says that nothing leaves where the call says that something does', () => {
    const view = sent(BY_SAFE, { assetChanges: [] });
    expect(text(view)).toBe('');
    expect(view.read).toContainEqual({ way: 'out', text: `9 units of ${TOKEN} goes to ${THIEF}.` });
    expect(view.verdict).toBe('NOT CHECKED');
    expect(view.notChecked.join()).toContain('nothing did when the service tried it out');
    expect(text(sent('0xdeadbeef', { assetChanges: [] }))).toContain('nothing, and nothing leaves');
  });
});

describe('what is shown of a signature', () => {
  const declared = (fields: string) =>
    fields
      .split(' ')
      .map((name) => ({ name, type: name === 'offer' || name === 'consideration' ? 'Item[]' : 'any' }));
  const EIP712Domain = declared('chainId verifyingContract');
  const domain = { chainId: 1, verifyingContract: `0x${'cd'.repeat(20)}` };
  const permit = { owner: ME, spender: SHOP, value: '5', nonce: 0, deadline: 4102444800 };
  const types = { EIP712Domain, Permit: declared(Object.keys(permit).join(' ')) };
  const PERMIT = { types, primaryType: 'Permit', domain, message: permit };
  const given = { owner: ME, spender: SHOP, token: domain.verifyingContract, amount: '5', unlimited: false };
  const ASKED: DeterminationAnswer = {
    ...{ verdict: 'CLEAN', reasons: [], assetChanges: [] },
    simulation: simulated({ approvals: [given] }),
  };
  const signed = (typed: object, ...answers: Bought[]) =>
    shown(
      'eth_signTypedData_v4',
      [ME, { ...PERMIT, ...typed }],
      answers.length === 0 ? [ASKED, ASKED, ASKED] : answers,
    );

  it('is Clean where all of it was read, and what it allows was tried out for the one whom it serves', () => {
    const view = signed({});
    expect(view).toMatchObject({ verdict: 'CLEAN', notChecked: [], read: [] });
    expect(text(view)).toContain(`${SHOP} may take 5 units`);
  });

  it.each([
    ['was not tried out', { simulation: undefined }],
    ['was tried out for nobody', { simulation: simulated({ approvals: [given], assumedSender: true }) }],
    ['was tried out for another', { simulation: simulated({ approvals: [given], from: SHOP }) }],
    ['could not be tried out', { simulation: simulated({ outcome: 'reverted', reason: 'no' }) }],
    ['was not allowed then', { simulation: simulated({}) }],
    ['was allowed to another', { simulation: simulated({ approvals: [{ ...given, spender: ME }] }) }],
  ])('is never Clean where what it allows %s', (_, more) => {
    const view = signed({}, { ...ASKED, ...more });
    expect(view.verdict).toBe('NOT CHECKED');
    expect(view.notChecked).not.toEqual([]);
  });

  it('is never Clean where no transaction allows the same', () => {
    for (const [message, params] of [
      [{ ...permit, owner: SHOP }, [ME]],
      [{ ...permit, value: 'all' }, [ME]],
      [permit, []],
    ] as const) {
      const view = shown('eth_signTypedData_v4', [...params, { ...PERMIT, message }], ASKED);
      expect(view.verdict).toBe('NOT CHECKED');
      expect(view.notChecked.join()).toContain('What it allows was not tried out');
    }
  });

  it('is malicious where the same by a transaction is', () => {
    const checks = [{ outcome: 'FLAG', detail: `${SHOP} gets any amount` }];
    const flagged: DeterminationAnswer = { ...ASKED, verdict: 'FLAGGED', evidence: { checks } };
    expect(signed({}, flagged)).toMatchObject({
      verdict: 'FLAGGED',
      findings: [{ level: 'stop', text: `${SHOP} gets any amount` }],
    });
  });

  const details = declared('token amount expiration nonce');
  const several = (count: number) => ({
    types: {
      EIP712Domain,
      PermitBatch: [{ name: 'details', type: 'Details[]' }, ...declared('spender sigDeadline')],
      Details: details,
    },
    primaryType: 'PermitBatch',
    message: {
      details: Array.from({ length: count }, (_, i) => ({
        ...{ token: `0x${`${i + 1}e`.repeat(20)}`, amount: '5', expiration: 4102444800, nonce: 0 },
      })),
      ...{ spender: SHOP, sigDeadline: 4102444800 },
    },
  });

  it('is Clean of several powers where each was tried out', () => {
    expect(signed(several(3))).toMatchObject({ verdict: 'CLEAN', notChecked: [] });
    for (const [count, answers] of [
      [3, [ASKED, ASKED]],
      [4, [ASKED, ASKED, ASKED]],
      [2, [ASKED, 'today’s budget is used up']],
    ] as const) {
      const view = signed(several(count), ...answers);
      expect(view.verdict).toBe('NOT CHECKED');
      expect(view.notChecked.join()).toMatch(/Of the \d things that it allows, \d were tried out/);
    }
  });

  it('for somebody else to send is tried out itself', () => {
    const message = { to: SHOP, value: '100', data: '0x', operation: 0 };
    const safe = { types: { EIP712Domain, SafeTx: declared('to value data operation') }, message };
    const by = (from: string) =>
      signed(
        { ...safe, primaryType: 'SafeTx' },
        { ...CLEAN, simulation: simulated({ from }), assetChanges: [{ ...moved, party: from }] },
      );
    expect(by(ME).verdict).toBe('NOT CHECKED');
    const view = by(domain.verifyingContract);
    expect(view).toMatchObject({ verdict: 'CLEAN', notChecked: [] });
    expect(text(view)).toContain('of the chain’s own coin');
  });

  it.each([
    ['says what cannot be read', { message: { hello: 'world' } }],
    ['declares nothing', { types: {} }],
    [
      'declares a field that is not known',
      {
        types: { ...types, Permit: declared('owner spender value nonce deadline witness') },
        message: { ...permit, witness: { recipient: ME } },
      },
    ],
    [
      'carries a call that cannot be read',
      {
        ...{ primaryType: 'Forward', message: { from: ME, to: SHOP, data: '0xdeadbeef', gas: 1 } },
        types: { EIP712Domain, Forward: declared('from to data gas') },
      },
    ],
    ['names no chain', { domain: { verifyingContract: domain.verifyingContract } }],
    ['is for another chain than the wallet is on', { domain: { ...domain, chainId: 10 } }],
  ])('is never Clean where it %s', (_, typed) => {
    const view = signed(typed);
    expect(view.verdict).toBe('NOT CHECKED');
    expect([...view.notChecked, ...view.findings]).not.toEqual([]);
  });

  it('is never Clean where it serves several, of whom one was asked about', () => {
    const price = (recipient: string) => ({ ...{ itemType: 0, token: ME, startAmount: '9' }, recipient });
    const message = {
      offerer: ME,
      offer: [{ itemType: 2, token: domain.verifyingContract, identifierOrCriteria: '7', startAmount: '1' }],
      consideration: [price(ME), price(SHOP), price(`0x${'66'.repeat(20)}`)],
    };
    const orders = {
      EIP712Domain,
      Order: declared('offerer offer consideration'),
      Item: declared('itemType token identifierOrCriteria startAmount recipient'),
    };
    const view = signed({ types: orders, primaryType: 'Order', message });
    expect(view.verdict).toBe('NOT CHECKED');
    expect(view.notChecked).toEqual([
      'Whether the price is fair was not looked at.',
      `Of the 2 whom it serves, ${SHOP} alone was asked about.`,
    ]);
  });
});

describe('what is shown of an order', () => {
  it('is never Clean, whatever it pays', () => {
    const order = { maker: ME, makerAsset: SHOP, takerAsset: ME, makingAmount: 100, takingAmount: 1 };
    const types = {
      EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
      Order: Object.keys(order).map((name) => ({ name, type: 'uint256' })),
    };
    const typed = { types, primaryType: 'Order', domain: { chainId: 1 }, message: order };
    const view = shown('eth_signTypedData_v4', [ME, typed], { ...CLEAN, simulation: undefined });
    expect(view).toMatchObject({
      verdict: 'NOT CHECKED',
      findings: [],
      notChecked: ['Whether the price is fair was not looked at.'],
    });
  });
});

describe('what the service is asked', () => {
  const asked = (params: unknown) =>
    questionsOf(
      readCall({ method: 'wallet_sendCalls', params }, { host: 'shop.example', chainId: 1 }),
      'shop.example',
    );

  it('names the transaction with the account of its batch', () => {
    expect(asked(batch())).toEqual([
      {
        ...{ address: SHOP, chainId: 1, origin: 'shop.example' },
        transaction: { to: SHOP, value: '100', from: ME },
      },
    ]);
  });

  it('is about whom it serves alone where a part would be tried out for the whole', () => {
    for (const params of [
      batch({ from: undefined }),
      batch({}, [CALL, CALL]),
      batch({}, [CALL, { data: '0x6000' }]),
    ])
      expect(asked(params)).toEqual([{ address: SHOP, chainId: 1, origin: 'shop.example' }]);
  });
});

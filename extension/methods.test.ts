import { describe, expect, it } from 'vitest';
import { openApprovals } from './content/approvals.ts';
import { callsIn } from './content/wallet-messages.ts';
import { asksWhat } from './methods.ts';

describe('a method', () => {
  it.each([
    ['eth_requestAccounts', 'connect'],
    ['wallet_requestPermissions', 'connect'],
    ['wallet_createSession', 'connect'],
    ['personal_sign', 'sign'],
    ['eth_sign', 'sign'],
    ['eth_signTypedData_v4', 'sign'],
    ['eth_sendTransaction', 'send'],
    ['wallet_sendCalls', 'send'],
    ['wallet_grantPermissions', 'other'],
    ['eth_signTypedData_v9', 'other'],
    [' eth_sendTransaction', 'other'],
    ['wallet_invokeMethod', 'other'],
    ['eth_getEncryptionPublicKey', 'other'],
    ['anything_signWhatever', 'other'],
  ])('%s is judged: %s', (method, asks) => {
    expect(asksWhat(method)).toBe(asks);
  });

  it.each([
    'eth_chainId',
    'eth_accounts',
    'eth_call',
    'eth_getBalance',
    'eth_getTransactionBySenderAndNonce',
    'eth_sendRawTransaction',
    'wallet_switchEthereumChain',
    'wallet_getPermissions',
    'wallet_accountsChanged',
    'metamask_sendDomainMetadata',
    'toString',
    '__proto__',
  ])('%s is not', (method) => {
    expect(asksWhat(method)).toBeNull();
  });
});

describe('a message of a window', () => {
  const call = { method: 'eth_sendTransaction', params: [{ to: '0x1' }] };

  it.each([
    [
      'as today’s wallets send it',
      { target: 'contentscript', data: { name: 'provider', data: { id: 1, ...call } } },
    ],
    ['as text', JSON.stringify({ data: call })],
    ['as text with escapes', '{"data":{"m\\u0065thod":"eth_sendTransaction","params":[{"to":"0x1"}]}}'],
    ['as text in an object', { type: 'x', payload: JSON.stringify([call]) }],
    ['in a map', new Map([['a', { b: call }]])],
    ['in a batch', [{ id: 1, method: 'eth_chainId' }, call]],
  ])('holds a request %s', (_, data) => {
    expect(callsIn(data)).toEqual([call]);
  });

  it.each([
    ['around it', { method: 'eth_requestAccounts', params: [], data: { data: call } }],
    ['in its own parameters', { method: 'wallet_invokeMethod', params: { request: call } }],
  ])('holds a request also where another stands %s', (_, data) => {
    expect(callsIn(data)).toEqual([{ method: data.method, params: data.params }, call]);
  });

  it('holds a request in a part that stands deep inside as well', () => {
    const part = { data: call };
    const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], part);
    for (let around = 0; around < 20; around++) {
      const first = Array.from({ length: around }).reduce<unknown>((inner) => [inner], part);
      expect(callsIn({ first, data: part })).toEqual([call]);
    }
    expect(callsIn(deep)).toEqual([call]);
  });

  it.each([
    ['an answer', { id: 1, result: ['0x1'] }],
    ['a notification', { method: 'metamask_accountsChanged', params: [] }],
    ['a question', { method: 'eth_call', params: [] }],
    ['what pages say to each other', { method: 'sendMessage', params: [] }],
    ['text that is none', '{"method": '],
  ])('holds none: %s', (_, data) => {
    expect(callsIn(data)).toEqual([]);
  });

  it('is let through once, as it was judged, and not much later', () => {
    let time = 0;
    const approvals = openApprovals(() => time);
    approvals.add([{ method: 'eth_requestAccounts', params: undefined }, call]);
    expect(approvals.spend([{ ...call, params: [{ to: '0x2' }] }])).toBe(false);
    expect(approvals.spend([call, call])).toBe(false);
    expect(approvals.spend([call, { method: 'eth_requestAccounts', params: [] }])).toBe(true);
    expect(approvals.spend([call])).toBe(false);
    approvals.add([call]);
    time = 60_001;
    expect(approvals.spend([call])).toBe(false);
  });
});

import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { readCall } from './read-call.ts';
import type { Reading } from './reading.ts';

const ME = `0x${'11'.repeat(20)}`;
const EMPTY = `0x${'22'.repeat(20)}`;
const SHOP = `0x${'ab'.repeat(20)}`;
const POOL = `0x${'cd'.repeat(20)}` as const;
/** Moves whatever its caller has earned to somebody else: for an account that earned nothing, nothing. */
const CLAIM = encodeFunctionData({
  abi: parseAbi(['function claimAllRewards(address[] assets, address to)']),
  args: [[POOL], `0x${'66'.repeat(20)}`],
});

const ask = (method: string, params: unknown, chainId: number | null = 1): Reading =>
  readCall({ method, params }, { host: 'shop.example', chainId });
const batch = (more: object, calls: unknown = [{ to: POOL, data: CLAIM }]): Reading =>
  ask('wallet_sendCalls', [{ version: '2.0.0', chainId: '0x1', from: ME, calls, ...more }]);
const send = (more: object): Reading => ask('eth_sendTransaction', [{ from: ME, to: SHOP, ...more }]);
const findings = ({ findings: found }: Reading): string[] => found.map(({ text }) => text);

describe('a batch of calls', () => {
  it('is tried out for the account that the batch names', () => {
    expect(batch({}).trial).toEqual({ to: POOL, data: CLAIM, from: ME });
    expect(batch({}, [{ to: POOL, data: CLAIM, from: ME.toUpperCase().replace('0X', '0x') }]).trial).toEqual({
      ...{ to: POOL, data: CLAIM, from: ME },
    });
  });

  it.each([
    ['names no account', {}, [{ to: POOL, data: CLAIM }], undefined],
    ['names another account for a call than for all', {}, [{ to: POOL, data: CLAIM, from: EMPTY }], ME],
    ['names an account that cannot be read', {}, [{ to: POOL, data: CLAIM }], 'me.eth'],
    ['is for another chain than the wallet is on', { chainId: '0xa' }, [{ to: POOL, data: CLAIM }], ME],
    ['names another chain for a call than for all', {}, [{ to: POOL, data: CLAIM, chainId: '0xa' }], ME],
    ['names a chain that cannot be read', { chainId: 'eip155:1' }, [{ to: POOL, data: CLAIM }], ME],
  ])('that %s is tried out for nobody', (_, more, calls, from) => {
    expect(batch({ ...more, from }, calls).trial).toMatch(/^It was not tried out, because/);
  });

  it('is counted by the calls that it asks for, not by those that can be read', () => {
    const reading = batch({}, [
      { to: SHOP, data: '0x' },
      { data: '0x6000', value: '0x4563918244f40000' },
    ]);
    expect(reading.trial).toBe('These 2 transactions were not tried out');
    expect(reading.whole).toBe(false);
    expect(reading.changes).toEqual([
      { way: 'out', text: '5 of the chain’s own coin goes to a new contract.' },
    ]);
  });

  it.each([
    ['to nobody who can be read', [{ to: 'shop.eth', value: '0x1' }]],
    ['of an amount that cannot be read', [{ to: SHOP, value: '1.5' }]],
    ['of an amount below zero', [{ to: SHOP, value: -1 }]],
    ['with data in another form', [{ to: POOL, data: [0x6a, 0x2b] }]],
    ['in no list', { to: SHOP }],
    ['that are none', []],
    ['that are no objects', ['0x']],
  ])('with calls %s is not read whole', (_, calls) => {
    const reading = batch({}, calls);
    expect(reading.whole).toBe(false);
    expect(typeof reading.trial).toBe('string');
  });

  it('that asks the wallet for more than its calls says so, and is not read whole', () => {
    const more = { capabilities: { paymasterService: { url: 'https://pay.example' } } };
    expect(findings(batch(more)).join()).toContain('It asks the wallet for “paymasterService” besides.');
    for (const reading of [
      batch(more),
      batch({ followUp: [{ to: SHOP }] }),
      batch({}, [{ to: POOL, data: CLAIM, ...more }]),
      batch({}, [{ to: POOL, data: CLAIM, delegate: true }]),
    ])
      expect(reading.whole).toBe(false);
    expect(batch({ capabilities: {}, id: 'a', atomicRequired: true }).whole).toBe(true);
  });
});

describe('a transaction', () => {
  it('is tried out for its account, with fees as the page says them', () => {
    const reading = send({ value: '0x64', gas: '0x5208', maxFeePerGas: '0x1', nonce: '0x0', type: '0x2' });
    expect(reading).toMatchObject({ trial: { to: SHOP, value: '100', from: ME }, whole: true });
  });

  it('that makes a contract, names no account or is for another chain is not tried out', () => {
    for (const more of [
      { to: undefined, data: '0x6000' },
      { to: null },
      { from: undefined },
      { chainId: 10 },
    ])
      expect(send(more).trial).toMatch(/^It was not tried out, because/);
    expect(send({ to: undefined, data: '0x6000', value: '0x1' }).whole).toBe(false);
    expect(findings(send({ chainId: 10 }))).toContain('It is for chain 10, and the wallet is on 1.');
  });

  it('is not read whole where another stands behind it', () => {
    const one = { from: ME, to: SHOP, value: '0x0' };
    expect(ask('eth_sendTransaction', [one, { ...one, value: '0x64' }]).whole).toBe(false);
  });

  it('whose chain the page alone says was not checked to the end', () => {
    expect(send({}).notChecked.join()).toContain('It names no chain');
    expect(send({ chainId: '0x1' }).notChecked).toEqual([]);
    expect(batch({}).notChecked).toEqual([]);
  });
});

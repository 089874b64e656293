import { type Address, concat, type Hex, keccak256, pad } from 'viem';
import { describe, expect, it } from 'vitest';
import { type CodeReader, type KnownProxies, runningCode, shapeOf } from './running-code.ts';

const WALLET: Address = `0x${'aa'.repeat(20)}`;
const TARGET: Address = `0x${'bb'.repeat(20)}`;
const BEACON: Address = `0x${'cc'.repeat(20)}`;
const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON_SLOT: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const SLOT_0: Hex = `0x${'00'.repeat(32)}`;
/** An endless loop: JUMPDEST PUSH1 0 JUMP. */
const BURNER: Hex = '0x5b600056';
/** Some code that contains a DELEGATECALL. */
const PROXY: Hex = '0x3d3d3d3d5af43d';
const minimal = (target: Address, more: Hex = '0x') =>
  concat(['0x363d3d373d3d3d363d73', target, '0x5af43d82803e903d91602b57fd5bf3', more]);

function reader(codes: Record<Address, Hex>, slots: Record<Hex, Address> = {}): CodeReader {
  return {
    code: async (address) => codes[address] ?? '0x',
    slot: async (address, slot) => (address === WALLET && slots[slot] ? pad(slots[slot]) : SLOT_0),
    implementation: async (beacon) => (beacon === BEACON ? TARGET : null),
  };
}
const codeOf = (own: Hex, from: CodeReader, proxies: KnownProxies = new Map()) =>
  runningCode(WALLET, own, from, proxies);

describe('the code that a wallet runs', () => {
  it('is its own, its delegate’s, or that behind an exact minimal proxy with whatever arguments', async () => {
    const from = reader({ [TARGET]: BURNER });
    const own = await codeOf(BURNER, from);
    expect(own).toEqual({ runs: keccak256(BURNER), shapes: [shapeOf(BURNER)] });
    expect(await codeOf(concat(['0xef0100', TARGET]), from)).toEqual(own);
    expect(await codeOf(minimal(TARGET), from)).toEqual(own);
    expect(await codeOf(minimal(TARGET, '0xabcdef'), from)).toEqual(own);
    const delegatedToClone = reader({ [TARGET]: minimal(BEACON), [BEACON]: BURNER });
    expect(await codeOf(concat(['0xef0100', TARGET]), delegatedToClone)).toEqual(own);
  });

  it('is not what a slot of a code that nobody knows says, though failures count by that as well', async () => {
    const from = reader({ [TARGET]: BURNER }, { [IMPLEMENTATION_SLOT]: TARGET });
    expect(await codeOf(PROXY, from)).toEqual({
      runs: keccak256(PROXY),
      shapes: [shapeOf(PROXY), shapeOf(BURNER)],
    });
    const kinds: [KnownProxies, CodeReader][] = [
      [new Map([[keccak256(PROXY), 'erc1967']]), from],
      [new Map([[keccak256(PROXY), 'erc1967']]), reader({ [TARGET]: BURNER }, { [BEACON_SLOT]: BEACON })],
      [new Map([[keccak256(PROXY), 'slot0']]), reader({ [TARGET]: BURNER }, { [SLOT_0]: TARGET })],
    ];
    for (const [proxies, chain] of kinds)
      expect(await codeOf(PROXY, chain, proxies)).toEqual({
        runs: keccak256(BURNER),
        shapes: [shapeOf(BURNER)],
      });
  });

  it('counts by the address in the code of a minimal proxy of another kind', async () => {
    const other = (tail: Hex) =>
      concat(['0x365f5f375f5f365f73', TARGET, '0x5af43d5f5f3e5f3d91602a57fd5bf3', tail]);
    const from = reader({ [TARGET]: BURNER });
    for (const tail of ['0x', '0x99', '0x00112233'] as const)
      expect((await codeOf(other(tail), from)).shapes).toContain(shapeOf(BURNER));
  });

  it('is none where a delegation leads to nothing, to a delegation, or in a circle', async () => {
    const delegation = concat(['0xef0100', TARGET]);
    expect((await codeOf(delegation, reader({}))).runs).toBeNull();
    expect((await codeOf(delegation, reader({ [TARGET]: concat(['0xef0100', BEACON]) }))).runs).toBeNull();
    expect((await codeOf(minimal(TARGET), reader({ [TARGET]: minimal(TARGET) }))).runs).toBeNull();
  });
});

describe('the shape of a code', () => {
  it('is that of its clones with other constants and other metadata, and of no other code', () => {
    const code = (address: string, metadata: string): Hex => `0x73${address}60015b600056${metadata}`;
    const first = code('11'.repeat(20), 'a164697066735822000c'.replace('000c', '0008'));
    const second = code('22'.repeat(20), 'a164697066735823000c'.replace('000c', '0008'));
    expect(shapeOf(second)).toBe(shapeOf(first));
    expect(shapeOf(code('11'.repeat(20), ''))).toBe(shapeOf(first));
    expect(shapeOf('0x60025b600056')).not.toBe(shapeOf('0x60015b600056'));
  });

  it('can be computed for any bytes', () => {
    for (const code of ['0x', '0x7f', '0x73aa', '0xa10001', '0xffff', '0x60'] as const)
      expect(shapeOf(code)).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

import { describe, expect, it } from 'vitest';
import { type CallFault, callFaultOf, type Refused } from './call-fault.ts';

/** What the clients say, word for word where it is taken from their sources. */
const SAID: readonly (readonly [client: string, says: Refused, fault: CallFault])[] = [
  ['geth', { code: 3, message: 'execution reverted', data: '0x' }, 'contract'],
  ['geth', { code: 3, message: 'execution reverted: no', data: `0x08c379a0${'0'.repeat(128)}` }, 'contract'],
  ['geth', { code: -32000, message: 'execution reverted' }, 'contract'],
  ['geth', { code: -32000, message: 'invalid opcode: INVALID' }, 'contract'],
  ['geth', { code: -32000, message: 'invalid opcode: opcode 0xc not defined' }, 'contract'],
  ['geth', { code: -32000, message: 'out of gas' }, 'contract'],
  ['geth', { code: -32000, message: 'gas required exceeds allowance (5000000)' }, 'contract'],
  ['geth', { code: -32000, message: 'stack underflow (0 <=> 2)' }, 'contract'],
  ['geth', { code: -32000, message: 'stack limit reached 1024 (1023)' }, 'contract'],
  ['geth', { code: -32000, message: 'invalid jump destination' }, 'contract'],
  ['geth', { code: -32000, message: 'return data out of bounds' }, 'contract'],
  ['geth', { code: -32000, message: 'write protection' }, 'contract'],
  ['geth', { code: -32000, message: 'gas uint64 overflow' }, 'contract'],
  ['geth', { code: -32000, message: 'max call depth exceeded' }, 'contract'],
  ['geth', { code: -32000, message: 'header not found' }, 'block'],
  ['geth', { code: -32000, message: `missing trie node ${'ab'.repeat(32)} (path )` }, 'block'],
  ['geth', { code: -32000, message: 'required historical state unavailable (reexec=128)' }, 'block'],
  ['geth', { code: -32000, message: 'historical state 0xab is not available' }, 'block'],
  ['geth', { code: -32000, message: 'method handler crashed' }, 'node'],
  ['geth', { code: -32000, message: 'execution aborted (timeout = 5s)' }, 'unknown'],
  ['erigon', { code: -32000, message: 'out of gas' }, 'contract'],
  ['erigon', { code: -32000, message: 'block 17 not found' }, 'block'],
  ['erigon', { code: -32000, message: 'mdbx_txn_begin: MDBX_READERS_FULL' }, 'unknown'],
  ['nethermind', { code: -32015, message: 'VM execution error.', data: 'revert' }, 'contract'],
  ['nethermind', { code: -32015, message: 'VM execution error.', data: 'StackOverflow' }, 'contract'],
  ['nethermind', { code: -32000, message: 'BadInstruction' }, 'contract'],
  ['nethermind', { code: -32000, message: 'OutOfGas' }, 'contract'],
  ['nethermind', { code: 3, message: 'execution reverted: no', data: '0x' }, 'contract'],
  ['nethermind', { code: -32001, message: 'header is not canonical' }, 'block'],
  ['nethermind', { code: -32000, message: 'No state available for block 0xab' }, 'block'],
  ['parity', { code: -32015, message: 'VM execution error.', data: 'Bad instruction fe' }, 'contract'],
  ['parity', { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' }, 'contract'],
  ['parity', { code: -32000, message: 'The node runs with state pruning' }, 'block'],
  ['besu', { code: -32000, message: 'Execution reverted', data: '0x08c379a0' }, 'contract'],
  ['besu', { code: -32000, message: 'Invalid opcode: 0xfe' }, 'contract'],
  ['besu', { code: -32000, message: 'INVALID_OPERATION' }, 'contract'],
  ['besu', { code: -32000, message: 'Out of gas' }, 'contract'],
  ['besu', { code: -32000, message: 'Insufficient gas' }, 'contract'],
  ['besu', { code: -32000, message: 'Block not found' }, 'block'],
  ['besu', { code: -32000, message: 'World state unavailable' }, 'block'],
  ['reth', { code: 3, message: 'execution reverted', data: '0x' }, 'contract'],
  ['reth', { code: -32000, message: 'EVM error: InvalidFEOpcode' }, 'contract'],
  ['reth', { code: -32000, message: 'EVM error: OpcodeNotFound' }, 'contract'],
  ['reth', { code: -32000, message: 'out of gas: gas required exceeds: 5000000' }, 'contract'],
  [
    'reth',
    { code: -32000, message: 'out of gas: gas exhausted during memory expansion: 5000000' },
    'contract',
  ],
  ['reth', { code: -32001, message: 'block not found: 0x11' }, 'block'],
  ['reth', { code: -32000, message: 'state at block #5 is pruned' }, 'block'],
  ['anvil', { code: -32603, message: 'EVM error InvalidFEOpcode' }, 'contract'],
  ['anvil', { code: -32603, message: 'EVM error OutOfGas' }, 'contract'],
  ['anvil', { code: -32603, message: 'EVM error StackUnderflow' }, 'contract'],
  ['anvil', { code: -32603, message: 'EvmError: InvalidFEOpcode' }, 'contract'],
  ['anvil', { code: -32003, message: 'Out of gas: gas required exceeds allowance: 5' }, 'contract'],
  ['anvil', { code: -32602, message: 'BlockOutOfRangeError: block height is 3' }, 'block'],
  [
    'anvil on a fork',
    { code: -32603, message: 'failed to get account for 0xab: error sending request' },
    'node',
  ],
  [
    'hardhat',
    { code: -32603, message: 'VM Exception while processing transaction: invalid opcode' },
    'contract',
  ],
  ['hardhat', { code: -32603, message: 'Error: Transaction reverted without a reason string' }, 'contract'],
  ['JSON-RPC', { code: -32603, message: 'Internal error' }, 'node'],
  ['JSON-RPC', { code: -32603, message: 'Internal JSON-RPC error.' }, 'node'],
  ['JSON-RPC', { code: -32601, message: 'the method eth_call does not exist' }, 'node'],
  ['JSON-RPC', { code: -32602, message: 'missing value for required argument 1' }, 'node'],
  ['JSON-RPC', { code: -32700, message: 'parse error' }, 'node'],
  ['a gateway', { code: -32005, message: 'daily request count exceeded, request rate limited' }, 'node'],
  ['a gateway', { code: 429, message: 'You have exceeded your capacity' }, 'node'],
  ['a gateway', { code: -32000, message: 'Too Many Requests' }, 'node'],
  ['a gateway', { code: -32000, message: 'Unauthorized: invalid api key' }, 'node'],
  ['a gateway', { code: -32000, message: 'no backend is healthy' }, 'node'],
  ['a gateway', { code: -32000, message: 'upstream connect error' }, 'node'],
  ['nobody known', { code: -32099, message: 'frobnicated' }, 'unknown'],
  ['nobody known', { code: -32000 }, 'unknown'],
  ['nobody known', { message: 7, code: 'x', data: { data: { data: {} } } }, 'unknown'],
];

describe('whose fault a call without a result is', () => {
  it.each(SAID.map(([client, says, fault]) => [client, JSON.stringify(says), fault, says] as const))(
    'where %s says %s: the %s',
    (_client, _said, fault, says) => {
      expect(callFaultOf(says)).toBe(fault);
    },
  );

  it('does not depend on the words that a contract reverts with', () => {
    const words = SAID.filter(([, , fault]) => fault !== 'contract').map(([, { message }]) =>
      String(message),
    );
    for (const word of words) {
      for (const message of [
        `execution reverted: ${word}`,
        `VM Exception while processing transaction: reverted with reason string '${word}'`,
      ]) {
        expect([message, callFaultOf({ code: -32000, message })]).toEqual([message, 'contract']);
        expect(callFaultOf({ code: 3, message, data: '0x' })).toBe('contract');
      }
    }
  });

  it('is found in megabytes of a contract’s words as quickly as in a few', () => {
    const much = ' header not found'.repeat(500_000);
    expect(callFaultOf({ code: 3, message: `execution reverted:${much}` })).toBe('contract');
    expect(callFaultOf({ code: -32000, message: `execution reverted:${much}` })).toBe('contract');
  });
});

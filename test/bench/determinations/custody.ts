import { createRequire } from 'node:module';
import {
  type Abi,
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  pad,
  toEventSelector,
  toHex,
} from 'viem';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner } from '../../../chain/tx/signer.ts';
import type { EvidenceDeps } from '../../../runtime/determinations/deps.ts';
import { determineTier } from '../../../runtime/determinations/determine-tier.ts';
import type { Database } from '../../../store/database.ts';
import { importRegister } from '../../../store/registers/registers.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { withDatabase } from '../database.ts';
import type { BenchRow } from '../row.ts';
import { time } from '../timing.ts';

const MOVES = 1_000;
const GOAL = 2;
const EFFORT = { rounds: 9, single: 5, many: 0, callers: 1 };

/** A token whose moves are many and whose hands are all different. */
const RELAY = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
contract Relay {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  address public hand;
  uint160 private next = 0xabc0000;
  function pass(uint256 times) external {
    for (uint256 i; i < times; ++i) { address to = address(++next); emit Transfer(hand, to, 1); hand = to; }
  }
  function ownerOf(uint256) external view returns (address) { return hand; }
}`;

/**
 * Tier 3 over an asset with 1,000 transfers through as many hands, 2-of-2, everything it does: against its logs fetched
 * bare by both clients at once, which is what it reads with, and against one client's alone.
 */
export async function benchCustody(): Promise<BenchRow[]> {
  const chain = await testChain();
  try {
    return await withDatabase(8, (db) => measure(chain, db));
  } finally {
    await chain.stop();
  }
}

async function measure(chain: TestChain, db: Database): Promise<BenchRow[]> {
  const contract = await relayOn(chain);
  for (const register of ['stolen', 'recalled', 'sanctions', 'known-scam'] as const) {
    async function* rows() {
      for (let i = 0; i < 1_000; i++) yield { key: toHex(0xdead0000 + i, { size: 20 }), detail: {} };
    }
    await importRegister(db, { register, source: 'bench', asOf: new Date(), mode: 'add', rows: rows() });
  }
  const options = { chainId: chain.chainId, rpcUrl: chain.url };
  const readers = { viem: viemReader(options), ethers: ethersReader(options) };
  const deps: EvidenceDeps = {
    db,
    readers: new Map([[chain.chainId, readers]]),
    deployments: new Map([[chain.chainId, chain.deployment]]),
    now: () => new Date(),
  };
  const { number: toBlock } = await readers.viem.head();
  const topics = [toEventSelector('Transfer(address,address,uint256)'), null, null, toHex(1n, { size: 32 })];
  const fetched = async (reader: ChainReader) => {
    const logs = await reader.logs({ address: contract, topics, fromBlock: 0n, toBlock });
    if (logs.length !== MOVES) throw new Error(`${logs.length} of ${MOVES} logs came`);
  };
  const subject = { chainId: chain.chainId, contract, tokenId: '1' };
  const tier3 = async () => {
    const request = {
      tier: 'tier3',
      category: 'real-world-assets',
      facts: { subject },
      depth: '2-of-2',
    } as const;
    const { record } = await determineTier(deps, request);
    if (record.verdict !== 'CLEAN')
      throw new Error(`it was ${record.verdict}: ${record.inconclusive.join(', ')}`);
  };
  const both = () => Promise.all([fetched(readers.viem), fetched(readers.ethers)]);
  const [one, two, whole] = await time([() => fetched(readers.viem), both, tier3], EFFORT);
  const ratio = whole!.p50Ms / two!.p50Ms;
  const shown = ({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }) => ({ p50Ms, p99Ms });
  return [
    { name: `${MOVES} logs, one client`, ...shown(one!) },
    { name: `${MOVES} logs, both clients at once`, ...shown(two!) },
    {
      name: 'tier 3 over them, 2-of-2',
      ...shown(whole!),
      ratio,
      goal: `at most ${GOAL}`,
      ok: ratio <= GOAL,
    },
    { name: '… to one client', ratio: whole!.p50Ms / one!.p50Ms },
  ];
}

async function relayOn(chain: TestChain): Promise<Address> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const settings = {
    evmVersion: 'cancun',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const sources = { 'Relay.sol': { content: RELAY } };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
  const { abi, evm } = output.contracts['Relay.sol'].Relay as {
    abi: Abi;
    evm: { bytecode: { object: string } };
  };
  const { privateKey } = chain.accounts.operator;
  const signer = createSigner({ rpcUrl: chain.url, chainId: chain.chainId, privateKey });
  // The canonical CREATE2 factory: salt, then code.
  const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  const data: Hex = `${pad('0x', { size: 32 })}${evm.bytecode.object}`;
  const address = getAddress(await signer.call({ to: factory, data }));
  await signer.receipt(await signer.send({ to: factory, data, gas: 3_000_000n }));
  const pass = encodeFunctionData({ abi, functionName: 'pass', args: [50n] });
  for (let sent = 0; sent < MOVES; sent += 50)
    await signer.receipt(await signer.send({ to: address, data: pass, gas: 1_500_000n }));
  return address;
}

import { getBytes, keccak256 } from 'ethers';
import { lowerAddress } from '../../../../agents/ids.ts';
import { type Address, type ChainReader, type Head, type Hex, ReaderError } from '../../reader.ts';
import { type ProvenAccount, provenAccount } from './account-proof.ts';
import { stateRootOf } from './block-header.ts';

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;
type Pin = Pick<Head, 'number' | 'hash'>;

/** Blocks whose state root is kept. Determinations read the newest ones. */
const MOST_BLOCKS = 8;

/**
 * Wraps a reader so that it believes its node nothing about an account at a block that is named by its hash: balance,
 * nonce and storage are read out of Merkle proofs (`eth_getProof`, EIP-1186) against the header which has that hash, and
 * code must have the hash that is proven. Calls and logs are as the node tells them, and so is everything at a block named
 * by its number, because nothing is known of that. What is asked of one account at once is one proof.
 * @param ask asks the node; throws ReaderError
 * @throws ReaderError disagreeing from `code`, `nonce`, `balance` and `storage` where the node's words do not fit the block
 */
export function withStateProofs(reader: ChainReader, ask: Ask): ChainReader {
  const rootOf = keptRoots(ask);
  const account = oneProof(async (address, pin, slots) => {
    const block = { blockHash: pin.hash, requireCanonical: true };
    const [stateRoot, answer] = await Promise.all([
      rootOf(pin),
      ask('eth_getProof', [address, slots, block]),
    ]);
    try {
      return await provenAccount(answer, { stateRoot, address, slots });
    } catch (cause) {
      const said = `the node does not prove what it tells of ${address} in block ${pin.number}`;
      throw new ReaderError('disagreeing', said, { cause });
    }
  });
  return {
    ...reader,
    provesState: true,
    async code(address, block) {
      if (typeof block === 'bigint') return await reader.code(address, block);
      const [code, { codeHash }] = await Promise.all([reader.code(address, block), account(address, block)]);
      if (keccak256(getBytes(code)) === codeHash) return code;
      const said = `the code that the node tells of ${address} is not that of block ${block.number}`;
      throw new ReaderError('disagreeing', said);
    },
    async nonce(address, block) {
      if (typeof block === 'bigint') return await reader.nonce(address, block);
      return Number((await account(address, block)).nonce);
    },
    async balance(address, block) {
      if (typeof block === 'bigint') return await reader.balance(address, block);
      return (await account(address, block)).balance;
    },
    async storage(address, slot, block) {
      if (typeof block === 'bigint') return await reader.storage(address, slot, block);
      return (await account(address, block, slot)).slots.get(slot)!;
    },
  };
}

/** @returns what to read the state root of a block with, once a block */
function keptRoots(ask: Ask): (pin: Pin) => Promise<Hex> {
  const kept = new Map<Hex, Promise<Hex>>();
  return (pin) => {
    const known = kept.get(pin.hash);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= MOST_BLOCKS) kept.delete(oldest!);
    const root = ask('eth_getBlockByHash', [pin.hash, false]).then((told) => stateRootOf(told, pin));
    kept.set(pin.hash, root);
    root.catch(() => kept.delete(pin.hash));
    return root;
  };
}

type Prove = (address: Address, pin: Pin, slots: readonly Hex[]) => Promise<ProvenAccount>;

/** What is asked of one account and block before anything else runs goes in one proof. */
function oneProof(prove: Prove): (address: Address, pin: Pin, slot?: Hex) => Promise<ProvenAccount> {
  const open = new Map<string, { readonly slots: Set<Hex>; readonly proof: Promise<ProvenAccount> }>();
  return (given, pin, slot) => {
    const address = lowerAddress(given);
    const key = `${pin.hash} ${address}`;
    let asked = open.get(key);
    if (asked === undefined) {
      const slots = new Set<Hex>();
      const proof = Promise.resolve().then(() => {
        open.delete(key);
        return prove(address, pin, [...slots]);
      });
      asked = { slots, proof };
      open.set(key, asked);
    }
    if (slot !== undefined) asked.slots.add(slot);
    return asked.proof;
  };
}

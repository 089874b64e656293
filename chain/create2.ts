import { type Address, concat, getContractAddress, type Hex, zeroHash } from 'viem';
import { ChainError } from './chain-error.ts';
import { rpc } from './json-rpc.ts';
import type { Signer } from './signer.ts';

/** The deterministic deployment proxy that public chains and anvil carry. */
export const CREATE2_FACTORY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** A contract that stands, or will stand, where its calldata to the factory leads. */
export interface Planned {
  readonly name: string;
  readonly address: Address;
  /** Salt and init code. */
  readonly calldata: Hex;
}

/** Where the factory puts this init code (EIP-1014, salt zero): it depends on nothing else. */
export function planCreate2(name: string, initCode: Hex): Planned {
  return {
    name,
    address: getContractAddress({
      opcode: 'CREATE2',
      from: CREATE2_FACTORY,
      salt: zeroHash,
      bytecode: initCode,
    }),
    calldata: concat([zeroHash, initCode]),
  };
}

/** Sends the calldata unless there is code at the address already. @throws ChainError */
export async function deployPlanned(signer: Signer, rpcUrl: string, planned: Planned): Promise<void> {
  const { name, address, calldata } = planned;
  if ((await codeAt(rpcUrl, address)) !== '0x') return;
  const hash = await signer.send({ to: CREATE2_FACTORY, data: calldata, gas: 8_000_000n });
  await signer.receipt(hash);
  if ((await codeAt(rpcUrl, address)) === '0x') {
    throw new ChainError('reverted', `${name} was not deployed`, { hash });
  }
}

export function codeAt(rpcUrl: string, address: Address): Promise<Hex> {
  return rpc<Hex>(rpcUrl, 'eth_getCode', [address, 'latest']);
}

import { type Address, concat, getContractAddress, type Hex, zeroHash } from 'viem';
import { ChainError } from '../rpc/chain-error.ts';
import { rpc } from '../rpc/json-rpc.ts';
import type { Signer } from '../tx/signer.ts';

/** The deterministic deployment proxy, which public chains and anvil have. */
export const CREATE2_FACTORY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** A contract, deployed or not, at the address that its calldata for the factory determines. */
export interface Planned {
  readonly name: string;
  readonly address: Address;
  /** The salt and the init code. */
  readonly calldata: Hex;
}

/** Works out where the factory puts this init code (EIP-1014, salt zero); nothing else matters. */
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

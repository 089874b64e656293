import { createRequire } from 'node:module';
import {
  type Abi,
  type Address,
  concat,
  encodeAbiParameters,
  getCreate2Address,
  type Hex,
  pad,
  parseAbiParameters,
  zeroAddress,
} from 'viem';
import { rowReader } from '../../agents/determinations/provenance/register-row.ts';
import { demoAssetsAbi } from '../../chain/abi/demo-assets.ts';
import { mintDemoAsset } from '../../chain/devnet/dev-wallets.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import { transact } from '../../chain/tx/transact.ts';
import type { Database } from '../../store/database.ts';
import { importRegister } from '../../store/registers/registers.ts';
import type { RegisterName } from '../../store/tables.ts';
import type { TestAccount, TestChain } from '../fixtures/chain/anvil.ts';

/** The least of ERC-1155 that a walk reads: anyone mints and moves what anyone holds. */
const SHARES = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
contract Shares {
  event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
  event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
  mapping(address => mapping(uint256 => uint256)) public balances;
  function balanceOf(address who, uint256 id) external view returns (uint256) { return balances[who][id]; }
  function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0xd9b67a26 || id == 0x01ffc9a7; }
  function move(address from, address to, uint256 id, uint256 value) external {
    if (from != address(0)) balances[from][id] -= value;
    balances[to][id] += value;
    emit TransferSingle(msg.sender, from, to, id, value);
  }
  function moveMany(address from, address to, uint256[] calldata ids, uint256[] calldata values) external {
    for (uint256 i; i < ids.length; ++i) {
      if (from != address(0)) balances[from][ids[i]] -= values[i];
      balances[to][ids[i]] += values[i];
    }
    emit TransferBatch(msg.sender, from, to, ids, values);
  }
}`;

/**
 * A wallet that tells its owners as a Safe does, and lets anybody change them and silence it. It may pass a token on as it is
 * made.
 */
const WALLET = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
interface IToken { function transferFrom(address from, address to, uint256 id) external; }
contract Wallet {
  address[] owners;
  bool muted;
  constructor(address owner, address token, address to, uint256 id) {
    owners.push(owner);
    if (token != address(0)) IToken(token).transferFrom(address(this), to, id);
  }
  function getOwners() external view returns (address[] memory) { require(!muted); return owners; }
  function getThreshold() external view returns (uint256) { require(!muted); return 1; }
  function mute() external { muted = true; }
  function speak() external { muted = false; }
  function add(address who) external { owners.push(who); }
  function drop() external { owners.pop(); }
  function pass(address token, address to, uint256 id) external { IToken(token).transferFrom(address(this), to, id); }
}`;

/** A contract that is nobody's wallet, like a market's. */
const HOUSE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
interface IToken { function transferFrom(address from, address to, uint256 id) external; }
contract House {
  function pass(address token, address to, uint256 id) external { IToken(token).transferFrom(address(this), to, id); }
}`;

/** The canonical CREATE2 factory: salt, then code. */
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

export const signerOf = (chain: TestChain, { privateKey }: TestAccount) =>
  createSigner({ rpcUrl: chain.url, chainId: chain.chainId, privateKey });

/** A demo asset that went through these hands, the first one's by its mint. @returns its token id */
export async function assetThrough(chain: TestChain, hands: readonly TestAccount[]): Promise<bigint> {
  const { url: rpcUrl, deployment, accounts } = chain;
  const dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  const tokenId = await mintDemoAsset(dev, hands[0]!.address);
  for (const [i, to] of hands.slice(1).entries())
    await hand(chain, deployment.assets, tokenId, hands[i]!, to.address);
  return tokenId;
}

/** Moves an ERC-721 token from its holder's own wallet. */
export async function hand(
  chain: TestChain,
  contract: Address,
  tokenId: bigint,
  from: TestAccount,
  to: Address,
): Promise<void> {
  const [abi, functionName] = [demoAssetsAbi, 'transferFrom'];
  const args = [from.address, to, tokenId];
  await transact(signerOf(chain, from), { to: contract, abi, functionName, args, gas: 200_000n });
}

export interface Placed {
  readonly address: Address;
  call(functionName: string, args: readonly unknown[]): Promise<unknown>;
}

/** A contract whose address is known before it is on the chain. */
export interface Unplaced extends Placed {
  place(): Promise<void>;
}

/** Puts the shares on the chain. @returns how to call them */
export const sharesOn = (chain: TestChain): Promise<Placed> => placed(unplaced(chain, 'Shares', SHARES));

/** Puts a contract on the chain that keeps things and tells of no owners. */
export const houseOn = (chain: TestChain): Promise<Placed> => placed(unplaced(chain, 'House', HOUSE));

/**
 * Puts a wallet on the chain.
 * @param salt another one for each wallet
 */
export const walletOn = (chain: TestChain, salt: Hex): Promise<Placed> =>
  placed(walletFor(chain, salt, FACTORY));

/** A wallet that is not on the chain yet. @param passes what it passes on to whom as it is placed */
export const walletFor = (
  chain: TestChain,
  salt: Hex,
  owner: Address,
  passes: { readonly token: Address; readonly to: Address; readonly id: bigint } | null = null,
): Promise<Unplaced> => {
  const { token, to, id } = passes ?? { token: zeroAddress, to: zeroAddress, id: 0n };
  const args = parseAbiParameters('address, address, address, uint256');
  return unplaced(chain, 'Wallet', WALLET, {
    salt,
    args: encodeAbiParameters(args, [owner, token, to, id]),
  });
};

async function placed(made: Promise<Unplaced>): Promise<Placed> {
  const contract = await made;
  await contract.place();
  return contract;
}

async function unplaced(
  chain: TestChain,
  name: string,
  source: string,
  { salt = '0x', args = '0x' }: { readonly salt?: Hex; readonly args?: Hex } = {},
): Promise<Unplaced> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const settings = {
    evmVersion: 'cancun',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const sources = { 'a.sol': { content: source } };
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
  const { abi, evm } = output.contracts['a.sol'][name] as {
    abi: Abi;
    evm: { bytecode: { object: string } };
  };
  const signer = signerOf(chain, chain.accounts.operator);
  const code = concat([`0x${evm.bytecode.object}`, args]);
  const padded = pad(salt, { size: 32 });
  const address = getCreate2Address({ from: FACTORY, salt: padded, bytecode: code });
  return {
    address,
    place: async () => {
      const data = concat([padded, code]);
      await signer.receipt(await signer.send({ to: FACTORY, data, gas: 3_000_000n }));
    },
    call: (functionName, args) => transact(signer, { to: address, abi, functionName, args, gas: 500_000n }),
  };
}

/** A list with these keys and one row that is nobody's, so that it is never empty. */
/** Ten sales of tokens of one contract about a hundred dollars each, so that a price of that kind can be judged. */
export async function salesOf(db: Database, contract: string, asOf: Date): Promise<void> {
  const read = rowReader('comparables', 'csv');
  const day = (n: number) => new Date(asOf.getTime() - n * 86_400_000).toISOString().slice(0, 10);
  const lines = Array.from(
    { length: 10 },
    (_, i) =>
      `eip155:1002/erc721:${contract.toLowerCase()}/${1_000_000 + i},digital-products,${96 + i},${day(1 + i)},`,
  );
  async function* rows() {
    for (const [i, line] of ['item,category,priceUsd,soldAt,flagged', ...lines].entries()) {
      const row = read(line, i + 1);
      if (row !== null) yield row;
    }
  }
  await importRegister(db, { register: 'comparables', source: 'test', asOf, mode: 'replace', rows: rows() });
}

export async function listOf(
  db: Database,
  register: RegisterName,
  keys: readonly string[],
  asOf: Date,
): Promise<void> {
  async function* rows() {
    for (const key of ['serial:generic:NOBODYS', ...keys]) yield { key, detail: {} };
  }
  await importRegister(db, { register, source: 'test', asOf, mode: 'replace', rows: rows() });
}

import { createRequire } from 'node:module';
import { type Abi, type Address, getAddress, type Hex, toHex } from 'viem';
import { rowReader } from '../../agents/determinations/provenance/register-row.ts';
import { demoAssetsAbi } from '../../chain/abi/demo-assets.ts';
import { transact } from '../../chain/tx/transact.ts';
import type { Database } from '../../store/database.ts';
import { importRegister } from '../../store/registers/registers.ts';
import type { TestAccount, TestChain } from '../fixtures/chain/anvil.ts';
import { signerOf } from './goods-stage.ts';

/**
 * Lending contracts, wrappers and re-mints with the view functions and events of those that are public: BendDAO's
 * LendPoolLoan, NFTfi's DirectLoanFixedOffer and Arcade's LoanCore (version 4), as `docs/operator.md` writes their rows.
 */
const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
interface IToken { function transferFrom(address from, address to, uint256 id) external; }
contract Escrow {
  bool public broken;
  uint256 public loans;
  function breakDown(bool to) external { broken = to; }
  function take(address c, uint256 id) internal { IToken(c).transferFrom(msg.sender, address(this), id); }
  function give(address c, uint256 id) external { IToken(c).transferFrom(address(this), msg.sender, id); }
}
contract BendLike is Escrow {
  mapping(address => mapping(uint256 => uint256)) ids;
  mapping(uint256 => address) who;
  function borrow(address c, uint256 id) external { take(c, id); ids[c][id] = ++loans; who[loans] = msg.sender; }
  function settle(address c, uint256 id) external { ids[c][id] = 0; }
  function getCollateralLoanId(address c, uint256 id) external view returns (uint256) {
    require(!broken, "down for repair");
    return ids[c][id];
  }
  function borrowerOf(uint256 loan) external view returns (address) { return who[loan]; }
}
contract NftfiLike is Escrow {
  struct Terms { uint256 principal; uint256 most; uint256 id; address erc20; uint32 duration; uint16 rate; uint16 fee;
    address wrapper; uint64 start; address collection; address borrower; }
  struct Extras { address partner; uint16 share; uint16 referral; }
  event LoanStarted(uint32 indexed loanId, address indexed borrower, address indexed lender, Terms terms, Extras extras);
  mapping(uint32 => Terms) public loanIdToLoan;
  mapping(uint32 => bool) public loanRepaidOrLiquidated;
  function borrow(address c, uint256 id) external {
    take(c, id);
    uint32 loan = uint32(++loans);
    loanIdToLoan[loan] = Terms(1, 2, id, address(0), 3, 4, 5, address(0), 6, c, msg.sender);
    emit LoanStarted(loan, msg.sender, address(1), loanIdToLoan[loan], Extras(address(0), 0, 0));
  }
  function settle(address, uint256) external { loanRepaidOrLiquidated[uint32(loans)] = true; }
}
contract ArcadeLike is Escrow {
  struct Terms { uint32 rate; uint64 duration; address collateral; uint96 deadline; address currency; uint256 principal;
    uint256 collateralId; bytes32 affiliate; }
  struct Data { uint8 state; uint64 start; uint64 accrual; Terms terms; uint256 balance; }
  event LoanStarted(uint256 loanId, address lender, address borrower);
  mapping(uint256 => Data) data;
  function borrow(address c, uint256 id) external {
    take(c, id);
    data[++loans] = Data(1, 1, 1, Terms(1, 2, c, 3, address(0), 4, id, 0), 5);
    emit LoanStarted(loans, address(1), msg.sender);
  }
  function settle(address, uint256) external { data[loans].state = 2; }
  function getLoan(uint256 loan) external view returns (Data memory) { return data[loan]; }
}
contract Twin {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  mapping(uint256 => address) public owners;
  mapping(uint256 => uint256) public originOf;
  address public underlying;
  uint256 immutable shift;
  constructor(address c, uint256 by) { underlying = c; shift = by; }
  function ownerOf(uint256 id) external view returns (address) { require(owners[id] != address(0)); return owners[id]; }
  function twinOf(address, uint256 id) external view returns (uint256) { return id + shift; }
  function wrap(uint256 id) external {
    IToken(underlying).transferFrom(msg.sender, address(this), id);
    originOf[id + shift] = id;
    move(address(0), msg.sender, id + shift);
  }
  function claim(uint256 id) external { originOf[id + shift] = id; move(address(0), msg.sender, id + shift); }
  function unwrap(uint256 id) external {
    require(owners[id] == msg.sender);
    move(msg.sender, address(0), id);
    IToken(underlying).transferFrom(address(this), msg.sender, id - shift);
  }
  function transferFrom(address from, address to, uint256 id) external { require(owners[id] == from); move(from, to, id); }
  function move(address from, address to, uint256 id) internal { owners[id] = to; emit Transfer(from, to, id); }
}
contract SafeLike {
  address immutable owner1;
  constructor(address one) { owner1 = one; }
  function getThreshold() external pure returns (uint256) { return 2; }
  function getOwners() external view returns (address[] memory all) {
    all = new address[](2);
    (all[0], all[1]) = (owner1, address(0xbeef));
  }
}`;

/** The rows of the table that say how each kind of lender tells of a loan. */
export const SHAPES = {
  BendLike: {
    calls:
      'getCollateralLoanId(address collection,uint256 tokenId)(uint256 loan);borrowerOf(uint256 loan)(address borrower)',
    open: 'loan!=0',
  },
  NftfiLike: {
    started:
      'LoanStarted(uint32,address,address,(uint256,uint256,uint256,address,uint32,uint16,uint16,address,uint64,address,address),(address,uint16,uint16))',
    loanAt: 'topic1',
    calls:
      'loanIdToLoan(uint32 loan)(uint256 _,uint256 _,uint256 tokenId,address _,uint32 _,uint16 _,uint16 _,address _,uint64 _,address collection,address borrower);loanRepaidOrLiquidated(uint32 loan)(bool ended)',
    open: 'ended=0',
  },
  ArcadeLike: {
    started: 'LoanStarted(uint256,address,address)',
    loanAt: 'data0',
    calls:
      'getLoan(uint256 loan)(uint8 state,uint64 _,uint64 _,uint32 _,uint64 _,address collection,uint96 _,address _,uint256 _,uint256 tokenId)',
    open: 'state=1',
  },
} as const;

export type LenderKind = keyof typeof SHAPES;

/** A contract of a test, and how to call it as one of the accounts. */
export interface Contract {
  readonly address: Address;
  call(by: TestAccount, functionName: string, args: readonly unknown[]): Promise<unknown>;
}

let deployed = 0n;
let output: Record<string, { abi: Abi; evm: { bytecode: { object: string } } }> | null = null;

/** Puts a contract of the source on the chain. @param words what its constructor takes */
export async function contractOn(
  chain: TestChain,
  name: string,
  words: readonly (Address | bigint)[] = [],
): Promise<Contract> {
  output ??= compiled();
  const { abi, evm } = output[name]!;
  const signer = signerOf(chain, chain.accounts.operator);
  const word = (w: Address | bigint) =>
    (typeof w === 'bigint' ? w.toString(16) : w.slice(2)).padStart(64, '0');
  const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  const data: Hex = `${toHex(++deployed, { size: 32 })}${evm.bytecode.object}${words.map(word).join('')}`;
  const address = getAddress(await signer.call({ to: factory, data }));
  await signer.receipt(await signer.send({ to: factory, data, gas: 3_000_000n }));
  return {
    address,
    call: (by, functionName, args) =>
      transact(signerOf(chain, by), { to: address, abi, functionName, args, gas: 900_000n }),
  };
}

function compiled(): NonNullable<typeof output> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const settings = {
    evmVersion: 'cancun',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  };
  const sources = { 'Lineage.sol': { content: SOURCE } };
  const told = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
  const wrong = (told.errors ?? []).find((e: { severity: string }) => e.severity === 'error');
  if (wrong !== undefined) throw new Error(wrong.formattedMessage);
  return told.contracts['Lineage.sol'];
}

/** Lets a contract take one token. */
export async function approve(
  chain: TestChain,
  by: TestAccount,
  to: Address,
  tokenId: bigint,
): Promise<void> {
  const [abi, functionName, args] = [demoAssetsAbi, 'approve', [to, tokenId]];
  await transact(signerOf(chain, by), {
    to: chain.deployment.assets,
    abi,
    functionName,
    args,
    gas: 200_000n,
  });
}

/** Imports the whole table of contracts, in the place of the one before. */
export async function tableOf(
  db: Database,
  rows: readonly Readonly<Record<string, string | number>>[],
  asOf: Date,
): Promise<void> {
  const read = rowReader('token-contracts', 'jsonl');
  async function* all() {
    for (const [i, row] of rows.entries()) yield read(JSON.stringify({ chainId: 1002, ...row }), i + 1)!;
  }
  await importRegister(db, {
    register: 'token-contracts',
    source: 'known',
    asOf,
    mode: 'replace',
    rows: all(),
  });
}

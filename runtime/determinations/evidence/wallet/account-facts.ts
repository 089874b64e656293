import { accountKind, type CodeFacts } from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { ChainReading } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { type ChainReader, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import { analysed } from './code-analysis.ts';
import { resolveCode } from './resolve-code.ts';

type Address = `0x${string}`;

/** EIP-1967: keccak256('eip1967.proxy.implementation') − 1, and in the same way for beacon and admin. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';

const BEACON_ABI = [
  {
    type: 'function',
    name: 'implementation',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'address' }],
  },
] as const;

/** FiatToken (USDC). */
const FREEZE_ABI = [
  {
    type: 'function',
    name: 'isBlacklisted',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const;

/** The addresses in the EIP-1967 slots of implementation, beacon and admin, in this order. @throws ReaderError */
export async function readSlots(
  reader: ChainReader,
  address: Address,
  block: Place,
): Promise<(Address | null)[]> {
  return await Promise.all(
    [IMPLEMENTATION_SLOT, BEACON_SLOT, ADMIN_SLOT].map(async (slot) =>
      addressIn(await reader.storage(address, slot as Address, block)),
    ),
  );
}

/**
 * What is kept of an account's code, with the EIP-1967 slots of a contract and its beacon's answer.
 * @param slots where they are being read already
 * @throws ReaderError
 */
export async function codeFacts(
  reader: ChainReader,
  address: Address,
  block: Place,
  code: Address,
  slots?: Promise<(Address | null)[]>,
): Promise<CodeFacts> {
  const size = (code.length - 2) / 2;
  const facts: CodeFacts = {
    size,
    hash: size === 0 ? null : analysed(code).hash,
    head: code.slice(0, 2 + 512).toLowerCase() as Address,
    implementation: null,
    beacon: null,
    admin: null,
  };
  if (size === 0) return facts;
  const resolved = await resolveCode(reader, address, block, code);
  if (accountKind(facts).kind !== 'contract') return { ...facts, ...resolved };
  const [implementation, beacon, admin] = await (slots ?? readSlots(reader, address, block));
  // OpenZeppelin's proxies read their own slot first.
  const told = implementation ?? (beacon ? await beaconTells(reader, beacon, block) : null);
  return {
    ...facts,
    implementation: told ?? null,
    beacon: implementation ? null : (beacon ?? null),
    admin: admin ?? null,
    ...resolved,
  };
}

function addressIn(word: string): Address | null {
  const bare = word.slice(2).padStart(64, '0').toLowerCase();
  return /^0{24}/.test(bare) && !/^0+$/.test(bare) ? `0x${bare.slice(24)}` : null;
}

async function beaconTells(reader: ChainReader, beacon: Address, block: Place): Promise<Address | null> {
  const call = { address: beacon, abi: BEACON_ABI, functionName: 'implementation', block };
  const found = await unlessReverted(reader.read(call));
  return found === null ? null : (String(found).toLowerCase() as Address);
}

/** What a token's issuer says about an address; a token without such a list reverts. @throws ReaderError */
export async function readFreeze(
  reader: ChainReader,
  token: Address,
  who: Address,
  block: Place,
): Promise<NonNullable<ChainReading['freeze']>> {
  const call = { address: token, abi: FREEZE_ABI, functionName: 'isBlacklisted', args: [who], block };
  const found = await unlessReverted(reader.read(call));
  return { token, state: found === null ? 'no-list' : found === true ? 'frozen' : 'clear' };
}

async function unlessReverted(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}

import { toEventSelector } from 'viem';
import type { PrincipalEdge } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import { addressInWord } from '../../../../chain/rpc/address-word.ts';
import {
  type Abi,
  blockNumberOf,
  type ChainReader,
  type Hex,
  type Place,
  ReaderError,
} from '../../../../chain/rpc/reader.ts';

export type Decider = Omit<PrincipalEdge, 'distance'>;

/** Of each kind: all of them are looked up on the lists. Who stands beyond them is not known. */
const MOST_MEMBERS = 60;
/** The longest owner by index. */
const PASSKEY_BYTES = 64;

const view = (name: string, inputs: readonly string[], output: string) => ({
  type: 'function' as const,
  name,
  stateMutability: 'view' as const,
  inputs: inputs.map((type, i) => ({ name: `a${i}`, type })),
  outputs: [{ name: '', type: output }],
});
/** Safe; Ownable and the common accounts of ERC-4337; AccessControl, enumerable or not; Coinbase's smart wallet. */
const ABI: Abi = [
  view('getOwners', [], 'address[]'),
  view('getThreshold', [], 'uint256'),
  view('owner', [], 'address'),
  view('getRoleMemberCount', ['bytes32'], 'uint256'),
  view('getRoleMember', ['bytes32', 'uint256'], 'address'),
  view('getRoleAdmin', ['bytes32'], 'bytes32'),
  view('hasRole', ['bytes32', 'address'], 'bool'),
  view('nextOwnerIndex', [], 'uint256'),
  view('ownerAtIndex', ['uint256'], 'bytes'),
];
/** `DEFAULT_ADMIN_ROLE` of OpenZeppelin's AccessControl; its own admin is itself. */
const ADMIN_ROLE: Hex = `0x${'00'.repeat(32)}`;
const ROLE_GRANTED = toEventSelector('RoleGranted(bytes32,address,address)');
/** Public nodes refuse wider ranges. */
const LOG_BLOCKS = 5_000n;

interface Told {
  readonly deciders: readonly Decider[];
  /** Who may decide, too, and cannot be found out: it is told. */
  readonly unread: readonly string[];
  /** Who decides, too, and was not looked up: nothing is CLEAN by it. */
  readonly unknown: readonly string[];
}

interface Contract {
  readonly address: Hex;
  readonly reader: ChainReader;
  readonly block: Place;
  /** Null where the contract has no such function. */
  ask(functionName: string, args?: readonly unknown[], most?: number): Promise<unknown>;
  edge(who: unknown, role: string, source: string, alone?: boolean): Decider[];
}

/**
 * What a contract answers of those who decide over it: owners of a Safe, `owner()`, members of the default admin role,
 * and owners by index (Coinbase's smart wallet).
 * @throws ReaderError
 */
export async function toldBy(reader: ChainReader, address: Hex, block: Place): Promise<Told> {
  return await toldIn([ofSafe, ofOwner, ofAdmins, ofIndex], reader, address, block);
}

/** Who owns a contract that is somebody's wallet: a Safe, or one with owners by index. @throws ReaderError */
export async function walletOwners(reader: ChainReader, address: Hex, block: Place): Promise<Told> {
  return await toldIn([ofSafe, ofIndex], reader, address, block);
}

async function toldIn(
  reads: readonly ((contract: Contract) => Promise<Told>)[],
  reader: ChainReader,
  address: Hex,
  block: Place,
): Promise<Told> {
  const contract: Contract = {
    ...{ address, reader, block },
    async ask(functionName, args = [], most) {
      const bound = most === undefined ? {} : { most };
      try {
        return await reader.read({ address, abi: ABI, functionName, args, block, ...bound });
      } catch (error) {
        if (error instanceof ReaderError && error.kind === 'reverted') return null;
        throw error;
      }
    },
    edge(who, role, source, alone = true) {
      const key = String(who).toLowerCase();
      return who === null || key === NOBODY ? [] : [{ of: address, who: key, role, source, alone }];
    },
  };
  const kinds = await Promise.all(reads.map((read) => read(contract)));
  return {
    deciders: kinds.flatMap((k) => k.deciders),
    unread: kinds.flatMap((k) => k.unread),
    unknown: kinds.flatMap((k) => k.unknown),
  };
}

async function ofSafe({ ask, edge }: Contract): Promise<Told> {
  const [owners, threshold] = await Promise.all([
    ask('getOwners', [], MOST_MEMBERS + 1),
    ask('getThreshold'),
  ]);
  const all = Array.isArray(owners) ? (owners as string[]) : [];
  const needed = Number(threshold ?? 1n);
  const count = all.length > MOST_MEMBERS ? `more than ${MOST_MEMBERS}` : all.length;
  const role = `an owner (${needed} of ${count} sign)`;
  return {
    deciders: all.slice(0, MOST_MEMBERS).flatMap((who) => edge(who, role, 'getOwners()', needed <= 1)),
    unread: [],
    unknown: beyond(all.length, 'owners of a Safe'),
  };
}

async function ofOwner({ ask, edge }: Contract): Promise<Told> {
  return { ...NONE, deciders: edge(await ask('owner'), 'its owner', 'owner()') };
}

async function ofAdmins(contract: Contract): Promise<Told> {
  const { ask, edge } = contract;
  const [members, adminOf] = await Promise.all([
    ask('getRoleMemberCount', [ADMIN_ROLE]),
    ask('getRoleAdmin', [ADMIN_ROLE]),
  ]);
  if (members === null) return adminOf === ADMIN_ROLE ? await grantedAdmins(contract) : NONE;
  const count = Math.min(Number(members), MOST_MEMBERS);
  const admins = await Promise.all(
    Array.from({ length: count }, (_, i) => ask('getRoleMember', [ADMIN_ROLE, BigInt(i)])),
  );
  const deciders = admins.flatMap((who) => edge(who, 'an admin', 'getRoleMember()'));
  return {
    ...{ deciders, unread: [] },
    // What answers any call with the same word counts no admins.
    unknown:
      deciders.length > 0 && BigInt(deciders[0]!.who) !== BigInt(String(members))
        ? beyond(Number(members), 'admins')
        : [],
  };
}

/** Where the members of a role are not listed: whom recent logs name, if they have the role still. */
async function grantedAdmins({ address, reader, block, ask, edge }: Contract): Promise<Told> {
  const toBlock = blockNumberOf(block);
  const fromBlock = toBlock < LOG_BLOCKS ? 0n : toBlock - LOG_BLOCKS + 1n;
  const logs = await reader.logs({ address, topics: [ROLE_GRANTED, ADMIN_ROLE], fromBlock, toBlock });
  if (logs.length > 0 && typeof block !== 'bigint') await reader.confirm(block);
  const named = [...new Set(logs.map((log) => addressInWord(log.topics[2])))].sort();
  const asked = named.slice(0, MOST_MEMBERS);
  const have = await Promise.all(asked.map((who) => ask('hasRole', [ADMIN_ROLE, who])));
  const admins = asked.filter((_, i) => have[i] === true);
  return {
    deciders: admins.flatMap((who) => edge(who, 'an admin', 'RoleGranted and hasRole()')),
    unread: fromBlock === 0n ? [] : [`admins who were appointed before block ${fromBlock}`],
    unknown: beyond(named.length, 'admins'),
  };
}

/** An owner is an address, padded to 32 bytes, or the public key of a passkey, which no list names. */
async function ofIndex({ ask, edge }: Contract): Promise<Told> {
  const next = await ask('nextOwnerIndex');
  if (next === null) return NONE;
  const count = Number(next);
  const owners = await Promise.all(
    Array.from({ length: Math.min(count, MOST_MEMBERS) }, (_, i) =>
      ask('ownerAtIndex', [BigInt(i)], PASSKEY_BYTES),
    ),
  );
  const told = owners.filter((owner) => owner !== null).map(String);
  const addresses = told.filter((bytes) => bytes.length === 66).map((bytes) => `0x${bytes.slice(26)}`);
  return {
    deciders: addresses.flatMap((who) => edge(who, 'an owner', 'ownerAtIndex()')),
    unread: told.some((bytes) => bytes.length === 130) ? ['who holds a passkey that owns it'] : [],
    unknown: told.length > 0 ? beyond(count, 'owners') : [],
  };
}

function beyond(count: number, who: string): string[] {
  return count > MOST_MEMBERS ? [`${who} beyond the first ${MOST_MEMBERS} were not looked up`] : [];
}

const NONE: Told = { deciders: [], unread: [], unknown: [] };

import {
  type Address,
  decodeEventLog,
  encodeEventTopics,
  getAddress,
  type Hex,
  isAddressEqual,
  type Log,
  numberToHex,
  padHex,
} from 'viem';
import { accessManagerAbi } from '../../abi/access-manager.ts';
import { RpcRefusal } from '../../rpc/json-rpc.ts';
import type { Deployment } from '../deployment.ts';
import { ROLE_IDS, type Role } from '../roles.ts';
import { headTime, type Node } from './node.ts';

export interface Holders {
  readonly addresses: readonly Address[];
  /** Addresses whose grant is not in effect yet, and from when it will be (unix seconds). */
  readonly waiting: readonly { readonly who: Address; readonly from: number }[];
  /** Addresses to which it was granted once and which do not have it, as far as the node says. */
  readonly former: readonly Address[];
  /** False when the node did not say who else was ever granted the role. */
  readonly complete: boolean;
}

const EVENTS = ['RoleGranted', 'RoleRevoked'] as const;

/** True when an address may act for a role now, without a delay. */
export async function holdsNow(
  node: Node,
  { manager }: Pick<Deployment, 'manager'>,
  role: Role,
  who: Address,
): Promise<boolean> {
  const [member, delay] = await node.read(manager, accessManagerAbi, 'hasRole', [ROLE_IDS[role], who]);
  return member && delay === 0;
}

/**
 * Finds who holds a role now. OpenZeppelin's AccessManager keeps no list, so everybody to whom it was ever granted is
 * asked about, and also the likely holders.
 */
export async function holdersOf(
  node: Node,
  manager: Address,
  role: Role,
  { fromBlock, likely }: { fromBlock: number; likely: readonly Address[] },
): Promise<Holders> {
  const everGranted = await grantees(node, manager, role, fromBlock);
  const candidates = [...new Set([...(everGranted ?? []), ...likely].map((a) => getAddress(a)))];
  const now = await headTime(node);
  const since = await Promise.all(
    candidates.map(async (who) => {
      const [from] = await node.read(manager, accessManagerAbi, 'getAccess', [ROLE_IDS[role], who]);
      return { who, from };
    }),
  );
  return {
    addresses: since.filter(({ from }) => from !== 0 && from <= now).map(({ who }) => who),
    waiting: since.filter(({ from }) => from > now),
    former: since.flatMap(({ who, from }) =>
      from === 0 && everGranted?.some((a) => isAddressEqual(a, who)) ? [who] : [],
    ),
    complete: everGranted !== null,
  };
}

/** @returns null when the node refuses to search its logs */
async function grantees(
  node: Node,
  address: Address,
  role: Role,
  fromBlock: number,
): Promise<Address[] | null> {
  const topics = [
    EVENTS.map((eventName) => encodeEventTopics({ abi: accessManagerAbi, eventName })[0]!),
    padHex(numberToHex(ROLE_IDS[role]), { size: 32 }),
  ] as const;
  const found: Address[] = [];
  const head = Number(await node.ask<Hex>('eth_blockNumber'));
  let span = head - fromBlock + 1;
  for (let from = fromBlock; from <= head; ) {
    const to = Math.min(from + span - 1, head);
    const filter = { address, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) };
    try {
      for (const { data, topics } of await node.ask<Pick<Log, 'data' | 'topics'>[]>('eth_getLogs', [
        filter,
      ])) {
        const { args } = decodeEventLog({ abi: accessManagerAbi, data, topics });
        if ('account' in args && typeof args.account === 'string') found.push(args.account);
      }
      from = to + 1;
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      // Nodes limit how many blocks one search may cover.
      if (span <= 500) return null;
      span = Math.ceil(span / 4);
    }
  }
  return found;
}

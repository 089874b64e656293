import {
  type Address,
  decodeEventLog,
  encodeEventTopics,
  getAddress,
  isAddressEqual,
  numberToHex,
  padHex,
} from 'viem';
import { accessManagerAbi } from '../../abi/access-manager.ts';
import type { Deployment } from '../deployment.ts';
import { ROLE_IDS, type Role } from '../roles.ts';
import { headTime, type Node } from './node.ts';
import { pastLogs } from './past-logs.ts';

export interface Holders {
  /** Who may act for the role now, as the contracts ask it. */
  readonly addresses: readonly Address[];
  /** Addresses whose grant is not in effect yet, and from when it will be (unix seconds). */
  readonly waiting: readonly { readonly who: Address; readonly from: number }[];
  /**
   * Addresses that have the role with a delay, in seconds, by which each act would first have to be scheduled: the
   * contracts count them as none.
   */
  readonly delayed: readonly { readonly who: Address; readonly delay: number }[];
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
  const accesses = await Promise.all(
    candidates.map(async (who) => {
      const [since, delay, nextDelay, effect] = await node.read(manager, accessManagerAbi, 'getAccess', [
        ROLE_IDS[role],
        who,
      ]);
      // A holder with a delay may act once the delay has ended, if it is to end.
      const ends = delay === 0 ? 0 : effect !== 0 && nextDelay === 0 ? effect : null;
      return { who, since, delay, from: ends === null ? null : Math.max(since, ends) };
    }),
  );
  const members = accesses.filter(({ since }) => since !== 0);
  return {
    addresses: members.filter(({ from }) => from !== null && from <= now).map(({ who }) => who),
    waiting: members.flatMap(({ who, from }) => (from !== null && from > now ? [{ who, from }] : [])),
    delayed: members.filter(({ from }) => from === null).map(({ who, delay }) => ({ who, delay })),
    former: accesses.flatMap(({ who, since }) =>
      since === 0 && everGranted?.some((a) => isAddressEqual(a, who)) ? [who] : [],
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
  ];
  const logs = await pastLogs(node, { address, topics, fromBlock });
  if (logs === null) return null;
  return logs.flatMap(({ data, topics }) => {
    const { args } = decodeEventLog({ abi: accessManagerAbi, data, topics });
    return 'account' in args && typeof args.account === 'string' ? [args.account] : [];
  });
}

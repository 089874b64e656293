import {
  type Address,
  decodeEventLog,
  encodeEventTopics,
  getAddress,
  type Hex,
  type Log,
  numberToHex,
} from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { RpcRefusal } from '../json-rpc.ts';
import type { Node } from './node.ts';

export interface Holders {
  readonly addresses: readonly Address[];
  /** False where the node would not say who else was ever granted the role. */
  readonly complete: boolean;
}

const EVENTS = ['RoleGranted', 'RoleRevoked'] as const;

/**
 * Who holds a role now (OpenZeppelin AccessControl, which keeps no list): everyone it was ever granted to, and those
 * who are likely to, asked one by one.
 */
export async function holdersOf(
  node: Node,
  contract: Address,
  role: Hex,
  { fromBlock, likely }: { fromBlock: number; likely: readonly Address[] },
): Promise<Holders> {
  const everGranted = await grantees(node, contract, role, fromBlock);
  const candidates = [...new Set([...(everGranted ?? []), ...likely].map((a) => getAddress(a)))];
  const held = await Promise.all(
    candidates.map((who) => node.read(contract, agentNftAbi, 'hasRole', [role, who])),
  );
  return { addresses: candidates.filter((_, i) => held[i]), complete: everGranted !== null };
}

/** Null when the node refuses to search its logs. */
async function grantees(
  node: Node,
  address: Address,
  role: Hex,
  fromBlock: number,
): Promise<Address[] | null> {
  const topics = [
    EVENTS.map((eventName) => encodeEventTopics({ abi: agentNftAbi, eventName })[0]!),
    role,
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
        const { args } = decodeEventLog({ abi: agentNftAbi, data, topics });
        if ('account' in args && typeof args.account === 'string') found.push(args.account);
      }
      from = to + 1;
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      // Nodes bound how many blocks one search may cover.
      if (span <= 500) return null;
      span = Math.ceil(span / 4);
    }
  }
  return found;
}

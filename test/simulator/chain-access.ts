import { type Hex, type TransactionReceipt, zeroAddress } from 'viem';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { RpcRefusal, RpcSilence } from '../../chain/rpc/json-rpc.ts';
import { type ChainReader, type ReadCall, ReaderError } from '../../chain/rpc/reader.ts';
import type { Signer } from '../../chain/tx/signer.ts';
import { hasTopics } from '../fixtures/chain/log-topics.ts';
import { openTransaction } from '../fixtures/no-calls-in-transactions.ts';
import { type Block, DEPLOYMENT, revertOf, type SimulatedChain, toldOf } from './chain.ts';
import { type ChainState, copyState, listingKey, Refused, remaining } from './chain-state.ts';
import type { SimulatedNode } from './node.ts';
import { ownerSignature } from './owners.ts';
import type { Process, World } from './world.ts';

interface Access {
  readonly world: World;
  readonly chain: SimulatedChain;
  readonly node: SimulatedNode;
  readonly process: Process;
  /** The share of questions without an answer, and of transactions that are sent without a confirmation. */
  readonly faulty: () => number;
  /** Called with every chain call that happens within a database transaction, which is forbidden. */
  readonly forbid: (what: string) => void;
}

/** What a lying node says of every account, in micro-dollars. */
const RICH = 1_000_000_000_000n;
const RECEIPT_TRIES = 12;
const ERC1271_YES = '0x1626ba7e';
const EMPTY_WORD = `0x${'00'.repeat(32)}` as const;
/** The gas that every transaction here uses. */
const GAS = 100_000n;

/**
 * Reads the simulated chain at a given block, with the interface of the service's readers. Of the two nodes of a process
 * the first may lie: where both tell the same lie, nobody can know.
 */
export function simulatedReader(
  { world, node, process, faulty, forbid }: Access,
  client: ChainReader['client'],
): ChainReader {
  const lies = (): boolean => client === 'viem' && node.isLying;
  const answer = async <T>(what: string, read: () => T): Promise<T> => {
    if (openTransaction() !== null) forbid(what);
    // Several readings of one block run together; only sometimes something happens between them.
    if (what === 'head' || world.random.chance(0.25)) await world.reach(process, what);
    if (world.random.chance(faulty())) throw new ReaderError('down', 'the node does not answer');
    return read();
  };
  const blockAt = (block: bigint) => {
    const found = node.block(Number(block));
    if (!found) throw new ReaderError('reorganised', `there is no block ${block}`);
    return found;
  };
  const blocksBetween = (from: number, to: number): Block[] =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => node.block(from + i)).filter(
      (block) => block !== undefined,
    );
  const unused = async (): Promise<never> => {
    throw new Error('nothing simulated asks this');
  };
  return {
    client,
    chainId: DEPLOYMENT.chainId,
    endpoint: 'simulated',
    head: () =>
      answer('head', () => {
        const { number, hash, timestamp: mined } = node.head;
        // The head of a local chain is as old as its last transaction, so a reader has a new block mined.
        const timestamp = node.isBehind ? mined : Math.max(mined, Math.floor(world.now / 1000));
        return { number: BigInt(number), hash, timestamp: BigInt(timestamp) };
      }),
    blockHash: (block) => answer('block', () => blockAt(block).hash),
    timestamp: (block) => answer('block', () => BigInt(blockAt(block).timestamp)),
    confirm: unused,
    // Owners are contract wallets here, all with the same code and without a proxy; each confirms what was signed.
    code: () => answer('code', () => '0xef' as const),
    nonce: unused,
    balance: unused,
    storage: () => answer('storage', () => EMPTY_WORD),
    valueTransfers: unused,
    receipt: unused,
    simulate: unused,
    read: (call) =>
      answer(call.functionName, () => {
        const { block } = call;
        // This chain has no Multicall3.
        if (block === 'latest') throw new ReaderError('reverted', 'no contract answers');
        const { state } = blockAt(typeof block === 'bigint' ? block : block.number);
        const at = Math.floor(world.now / 1000);
        return (lies() ? lieAbout(state, call, at) : null) ?? readState(state, at, call);
      }),
    logs: ({ topics, fromBlock, toBlock }) =>
      answer('logs', () =>
        (lies() ? [] : blocksBetween(Number(fromBlock), Number(toBlock)))
          .flatMap((b) => b.logs)
          .filter((log) => hasTopics(log.topics, topics)),
      ),
  };
}

/** @returns null about what a lying node tells the truth */
function lieAbout(state: ChainState, { functionName, args = [] }: ReadCall, at: number): unknown {
  if (functionName === 'balanceOf') return RICH;
  if (functionName === 'settledAt') return 0;
  const agent = functionName === 'remaining' ? state.agents.get(args[0] as bigint) : undefined;
  return agent === undefined ? null : remaining({ ...agent, spends: [] }, at);
}

function readState(state: ChainState, at: number, { address, functionName, args = [] }: ReadCall): unknown {
  const [first] = args as [never];
  const agent = () => {
    const found = state.agents.get(first);
    if (!found) throw new ReaderError('reverted', 'there is no such agent');
    return found;
  };
  switch (functionName) {
    case 'agentByPayment':
      return state.byPayment.get(first) ?? 0n;
    case 'accountOf':
      return agent().account;
    case 'ownerOf':
      if (address === DEPLOYMENT.assets) return state.assets.get(first) ?? zeroAddress;
      return agent().owner;
    case 'offerOf': {
      const [agentId, , tokenId] = args as [bigint, string, bigint];
      const epoch = state.agents.get(agentId)?.epoch;
      const stands = epoch !== undefined && state.listed.has(listingKey(agentId, tokenId, epoch));
      return { token: stands ? DEPLOYMENT.usdc : zeroAddress, minPrice: stands ? 1n : 0n, changes: 0 };
    }
    case 'epochOf':
      return agent().epoch;
    case 'hasRole':
      return [true, 0];
    case 'mandates':
      return {
        mandateHash: agent().mandateHash,
        version: agent().mandateVersion,
        validAfter: 0,
        expiry: agent().expiry,
        pausedByOwner: agent().paused,
        pausedByGuardian: false,
      };
    case 'nonces':
      return agent().nonce;
    case 'keys': {
      const { epoch = 0, until = 0 } = agent().keys.get(String(args[1]).toLowerCase()) ?? {};
      return { epoch, validUntil: until };
    }
    case 'isValidSignature':
      return args[1] === ownerSignature(address, args[0] as Hex) ? ERC1271_YES : '0xffffffff';
    case 'remaining':
      return remaining(agent(), at);
    case 'token': {
      // Only agents' accounts are bound to a token; a wallet has no such function.
      const tokenId = state.byAccount.get(address.toLowerCase());
      if (tokenId === undefined) throw new ReaderError('reverted', 'it is bound to no token');
      return [BigInt(DEPLOYMENT.chainId), DEPLOYMENT.agentNft, tokenId];
    }
    case 'balanceOf':
      return state.money.get(first) ?? 0n;
    case 'settledAt':
      return state.settled.get((args as unknown as readonly [string, string, never])[2]) ?? 0;
    case 'anchoredAt':
      return state.anchors.get(first) ?? 0;
    default:
      throw new Error(`nothing simulated answers ${functionName}`);
  }
}

/** The service's signer: it stores every transaction before it sends it, and rebroadcasts it until it is mined. */
export function simulatedSigner({ world, chain, node, process, faulty }: Access): Signer {
  const down = (): ChainError => new ChainError('down', 'the node does not answer');
  const reach = async (what: string): Promise<void> => {
    await world.reach(process, what);
    if (world.random.chance(faulty())) throw down();
  };
  const wouldDo = async (to: Hex, data: Hex, block: bigint | undefined, what: string): Promise<void> => {
    await world.reach(process, what);
    if (world.random.chance(faulty())) throw new RpcSilence('no answer', { sent: true, timedOut: false });
    if (to === DEPLOYMENT.agentNft && block === undefined && data.length === 10)
      throw new RpcRefusal(3, 'execution reverted', undefined);
    const { state } = (block === undefined ? undefined : node.block(Number(block))) ?? node.head;
    try {
      chain.actOf(to, data)(copyState(state), Math.floor(world.now / 1000));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw new RpcRefusal(3, `execution reverted: ${error.message}`, revertOf(error));
    }
  };
  return {
    address: DEPLOYMENT.operator,
    chainId: DEPLOYMENT.chainId,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    async send({ to, data, purposes = [] }) {
      await reach('book a transaction');
      const tx = chain.book(process.name, purposes, to, chain.actOf(to, data));
      chain.publish(to, data);
      world.note(`${process.name} booked ${toldOf(purposes)}`);
      await world.reach(process, 'send a transaction');
      const fate = world.random.chance(faulty()) ? world.random.below(2) : null;
      if (fate !== 0) tx.pending = true;
      if (fate !== null)
        throw new ChainError('unknown', 'nobody heard whether it was taken', { hash: tx.hash });
      return tx.hash;
    },
    async receipt(hash) {
      for (let i = 0; i < RECEIPT_TRIES; i++) {
        await world.reach(process, 'receipt');
        const tx = chain.sent.get(hash)!;
        const block = tx.block === null ? undefined : node.block(tx.block);
        if (block !== undefined) {
          const { refused } = block.transactions.find((t) => t.tx === tx)!;
          return {
            status: refused === null ? 'success' : 'reverted',
            transactionHash: hash,
            blockNumber: BigInt(block.number),
            gasUsed: GAS,
            effectiveGasPrice: 1n,
            logs: block.logs.filter((log) => log.transactionHash === hash),
          } as unknown as TransactionReceipt;
        }
        await new Promise((wake) => setTimeout(wake, 500));
      }
      throw new ChainError('unknown', 'no receipt came in time', { hash });
    },
    async estimate({ to, data }) {
      await wouldDo(to, data, undefined, 'estimate');
      return GAS;
    },
    async call({ to, data }, block) {
      await wouldDo(to, data, block, 'call');
      return '0x' as Hex;
    },
    funds: async () => ({ balance: 10n ** 18n, gasPrice: 1n }),
    async underWay(purpose, depth = 0) {
      await reach('under way');
      for (const tx of chain.sent.values()) {
        if (tx.purposes.includes(purpose) && (tx.block === null || tx.block > node.head.number - depth))
          return true;
      }
      return false;
    },
    async rebroadcastPending() {
      await reach('tend');
      const sent: number[] = [];
      for (const [n, tx] of [...chain.sent.values()].entries()) {
        if (tx.block !== null || tx.pending) continue;
        tx.pending = true;
        sent.push(n);
      }
      return { pending: sent.length, sent, replaced: [], capped: [] };
    },
  };
}

import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  type Hex,
} from 'viem';
import { keccak } from '../../agents/canonical.ts';
import { dealMoney } from '../../agents/market/pricing/fees.ts';
import { agentNftAbi } from '../../chain/abi/agent-nft.ts';
import { ledgerAbi } from '../../chain/abi/ledger.ts';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import type { OrderedAgent } from '../../chain/clients/minted-as-ordered.ts';
import type { SignedDeal } from '../../chain/clients/settlement.ts';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import type { ChainLog } from '../../chain/rpc/reader.ts';
import { mintLogs } from '../fixtures/chain/mint-logs.ts';
import {
  type Act,
  type ChainState,
  copyState,
  emptyState,
  type Forgetful,
  mint,
  Refused,
  settle,
} from './chain-state.ts';
import { policyAct } from './policy.ts';
import type { Process, World } from './world.ts';

const address = (n: number): Hex => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;

export const DEPLOYMENT: Deployment = {
  chainId: 1002,
  usdc: address(0x11),
  usdcName: 'USDC',
  usdcVersion: '2',
  agentNft: address(0x12),
  registry: address(0x13),
  accountImplementation: address(0x14),
  policy: address(0x15),
  manager: address(0x1c),
  vault: address(0x1d),
  settlement: address(0x16),
  ledger: address(0x17),
  certificates: address(0x18),
  assets: address(0x19),
  namesA: address(0x1e),
  namesB: address(0x1f),
  treasury: address(0x77),
  operator: address(0x1b),
  deployedAtBlock: 0,
};

/** The topic of the event by which the contract tells that a deal was settled. */
export const DEAL_SETTLED = encodeEventTopics({ abi: settlementAbi, eventName: 'DealSettled' })[0];

export interface SimulatedTransaction {
  readonly hash: Hex;
  /** None: an owner's own. */
  readonly purposes: readonly string[];
  readonly to: Hex;
  readonly act: Act;
  /**
   * Mints and what owners signed are mined first, and after a reorg in their old order, like the transactions of one
   * key by their nonces. So an agent's account still belongs to it, with everything that people have sent there in the
   * meantime, and of two signatures the first counts first.
   */
  readonly first: boolean;
  order: number;
  block: number | null;
  pending: boolean;
}

export interface Block {
  readonly number: number;
  readonly hash: Hex;
  readonly timestamp: number;
  readonly state: ChainState;
  readonly logs: ChainLog[];
  readonly transactions: { readonly tx: SimulatedTransaction; readonly refused: Refused | null }[];
}

/** One chain: its blocks with the state after each, and the pending transactions. It can remove blocks again. */
export class SimulatedChain {
  readonly blocks: Block[] = [];
  readonly sent = new Map<Hex, SimulatedTransaction>();
  readonly forgetful: Forgetful;
  /** Until when anyone may settle a deal by what was sent, in unix seconds, by the deal's id on chain. */
  readonly deadlines = new Map<Hex, number>();
  readonly #world: World;
  readonly #miner: Process;
  readonly #calls = new Map<Hex, Act>();
  #count = 0;
  #forks = 0;
  #mined = 0;
  /** Called whenever the head changes. */
  observe: (() => void) | null = null;

  constructor(world: World, forgetful: Forgetful) {
    this.#world = world;
    this.forgetful = forgetful;
    this.#miner = world.process('miner');
    this.blocks.push({
      number: 0,
      hash: keccak('genesis'),
      timestamp: Math.floor(world.now / 1000),
      state: emptyState(),
      logs: [],
      transactions: [],
    });
    world.timer(this.#miner, () => this.#mine(), 1_000, 1_000);
  }

  get head(): Block {
    return this.blocks.at(-1)!;
  }

  get state(): ChainState {
    return this.head.state;
  }

  /** Whether a transaction is pending. */
  isBusy(): boolean {
    for (const tx of this.sent.values()) if (tx.pending) return true;
    return false;
  }

  /** Whether a settlement stands in one of the newest blocks, done or refused. */
  hasTried(newest: number): boolean {
    return this.#tried(newest).length > 0;
  }

  /** Whether a deal was settled in one of the newest blocks. */
  hasSettled(newest: number): boolean {
    return this.blocks
      .slice(-newest)
      .some(({ logs }) => logs.some(({ topics }) => topics[0] === DEAL_SETTLED));
  }

  #tried(newest: number): Block['transactions'] {
    const all = this.blocks.slice(-newest).flatMap(({ transactions }) => transactions);
    return all.filter(({ tx }) => tx.purposes.some((purpose) => purpose.startsWith('settle:')));
  }

  /** Sends a transaction of an owner, which no signer of the service keeps. */
  act(act: (state: ChainState, at: number) => void): void {
    const tx = this.book('owner', [], DEPLOYMENT.assets, (state, at) => {
      act(state, at);
      return [];
    });
    tx.pending = true;
  }

  book(by: string, purposes: readonly string[], to: Hex, act: Act): SimulatedTransaction {
    const hash = keccak(`${by}:${this.#count++}`);
    const first = purposes.some((purpose) => /^(mint|policy):/.test(purpose));
    const tx: SimulatedTransaction = {
      hash,
      purposes,
      to,
      act,
      first,
      order: Number.POSITIVE_INFINITY,
      block: null,
      pending: false,
    };
    this.sent.set(hash, tx);
    return tx;
  }

  /** Notes what everybody can read in the calldata of a transaction. */
  publish(to: Hex, data: Hex): void {
    if (to !== DEPLOYMENT.settlement) return;
    for (const { deal } of signedIn(data)) {
      const before = this.deadlines.get(deal.dealId) ?? 0;
      this.deadlines.set(deal.dealId, Math.max(before, deal.deadline));
    }
  }

  /** The effect of a call, decoded from its calldata. */
  actOf(to: Hex, data: Hex): Act {
    const key = `${to}${data.slice(2)}` as Hex;
    let act = this.#calls.get(key);
    if (!act) {
      act = this.#read(to, data);
      this.#calls.set(key, act);
    }
    return act;
  }

  #read(to: Hex, data: Hex): Act {
    if (to === DEPLOYMENT.settlement) return settlementAct(data, this.forgetful);
    if (to === DEPLOYMENT.agentNft) return mintAct(data, this.forgetful);
    if (to === DEPLOYMENT.policy) return policyAct(DEPLOYMENT, data, this.forgetful);
    if (to !== DEPLOYMENT.ledger) throw new Error(`nothing simulated stands at ${to}`);
    const { args } = decodeFunctionData({ abi: ledgerAbi, data });
    const [root] = args as unknown as [Hex];
    return (state, at) => {
      if (state.anchors.has(root)) throw new Refused('AlreadyAnchored', [root]);
      state.anchors.set(root, at);
      const topics = encodeEventTopics({ abi: ledgerAbi, eventName: 'Anchored', args: { root } });
      return [{ address: DEPLOYMENT.ledger, topics: topics as Hex[], data: '0x' }];
    };
  }

  #mine(): void {
    const waiting = [...this.sent.values()].filter((tx) => tx.pending);
    // Sometimes a block is empty, so that time passes on top of what was mined before.
    if (this.#world.random.chance(waiting.length === 0 ? 0.9 : 0.3)) return;
    const [first, rest] = [waiting.filter((t) => t.first), waiting.filter((t) => !t.first)];
    first.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order));
    const some = rest.filter(() => this.#world.random.chance(0.8));
    if (this.#forks > 0) some.sort((a, b) => (a.hash < b.hash ? -1 : 1));
    this.#append([...first, ...some]);
  }

  #append(transactions: readonly SimulatedTransaction[]): void {
    const before = this.head;
    const number = before.number + 1;
    const timestamp = Math.max(before.timestamp + 1, Math.floor(this.#world.now / 1000));
    const hash = keccak(`${before.hash}:${number}:${this.#forks}`);
    const block: Block = {
      number,
      hash,
      timestamp,
      state: copyState(before.state),
      logs: [],
      transactions: [],
    };
    let { state } = block;
    for (const tx of transactions) {
      const trial = copyState(state);
      let refused: Refused | null = null;
      try {
        for (const log of tx.act(trial, timestamp)) {
          const at = { blockNumber: BigInt(number), blockHash: hash, transactionHash: tx.hash };
          block.logs.push({ ...log, ...at, logIndex: block.logs.length });
        }
        state = trial;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused = error;
      }
      tx.pending = false;
      tx.block = number;
      tx.order = Math.min(tx.order, this.#mined++);
      block.transactions.push({ tx, refused });
      this.#world.note(`mined ${toldOf(tx.purposes)} in ${number} ${refused?.message ?? 'well'}`);
    }
    this.blocks.push({ ...block, state });
    this.observe?.();
  }

  /**
   * Removes blocks. Their transactions become pending again in another order, and some are lost until they are sent
   * again.
   */
  reorganise(depth: number): void {
    this.#forks += 1;
    for (let i = 0; i < depth && this.blocks.length > 1; i++) {
      for (const { tx } of this.blocks.pop()!.transactions) {
        tx.block = null;
        // An owner's wallet sends its transactions again; the service rebroadcasts its own.
        tx.pending = tx.purposes.length === 0 || tx.first || this.#world.random.chance(0.7);
      }
    }
    this.#world.note(`the chain went back to ${this.head.number}`);
    this.observe?.();
  }
}

/** Revert data as the contracts encode it, for the refusals that the service distinguishes. */
export function revertOf(refused: Refused): Hex | undefined {
  const abis: Record<string, Abi> = {
    DealAlreadySettled: settlementAbi,
    DealExpired: settlementAbi,
    PaymentAlreadyUsed: agentNftAbi,
    AlreadyAnchored: ledgerAbi,
    BadOwnerSignature: spendPolicyAbi,
    SignatureExpired: spendPolicyAbi,
    KeyNotLive: settlementAbi,
  };
  const abi = abis[refused.message];
  return abi && encodeErrorResult({ abi, errorName: refused.message, args: refused.args });
}

/** Of one deal, or of several, of which each is settled or refused by itself. */
function settlementAct(data: Hex, forgetful: Forgetful): Act {
  const acts = signedIn(data).map((signed) => settleAct(signed, forgetful));
  const { functionName } = decodeFunctionData({ abi: settlementAbi, data });
  if (functionName !== 'settleMany') return acts[0]!;
  return (state, at) =>
    acts.flatMap((act) => {
      try {
        act(copyState(state), at);
      } catch (error) {
        if (error instanceof Refused) return [];
        throw error;
      }
      return act(state, at);
    });
}

/** The deals of a transaction, with their signatures. */
function signedIn(data: Hex): readonly Omit<SignedDeal, 'kind'>[] {
  const { functionName, args } = decodeFunctionData({ abi: settlementAbi, data });
  if (functionName === 'settleMany') return (args as unknown as [SignedDeal[]])[0];
  const [deal, sellerKey, sellerSignature, buyerKey, buyerSignature] = args as unknown as OneByOne;
  return [{ deal, sellerKey, sellerSignature, buyerKey, buyerSignature }];
}

type OneByOne = readonly [SignedDeal['deal'], Hex, Hex, Hex, Hex];

function settleAct(signed: Omit<SignedDeal, 'kind'>, forgetful: Forgetful): Act {
  const { deal, sellerKey, sellerSignature, buyerKey, buyerSignature } = signed;
  const topics = encodeEventTopics({
    abi: settlementAbi,
    eventName: 'DealSettled',
    args: { dealId: deal.dealId, seller: deal.seller, buyer: deal.buyer },
  }) as Hex[];
  return (state, at) => {
    for (const [key, signature] of [
      [sellerKey, sellerSignature],
      [buyerKey, buyerSignature],
    ] as const)
      if (signature !== signatureOf(key, deal.dealId)) throw new Refused('BadDealSignature');
    settle(state, { ...deal, sellerKey, buyerKey }, at, forgetful);
    return [
      {
        address: DEPLOYMENT.settlement,
        topics,
        data: encodeAbiParameters(
          [
            { type: 'address' },
            { type: 'uint256' },
            { type: 'address' },
            { type: 'uint256' },
            { type: 'uint256' },
          ],
          [deal.asset, deal.tokenId, deal.token, deal.price, dealMoney(deal.price).fee],
        ),
      },
    ];
  };
}

/** What a transaction is for, as the log of a history tells it. */
export function toldOf(purposes: readonly string[]): string {
  return purposes.length === 0 ? 'owner' : purposes.map((purpose) => purpose.slice(0, 16)).join(' ');
}

/** Stands for the EIP-712 signature of a session key over one deal; it contains the key's address. */
export function signatureOf(key: string, dealId: string): Hex {
  return `0x${key.slice(2).toLowerCase()}${dealId.slice(2).toLowerCase()}`;
}

function mintAct(data: Hex, forgetful: Forgetful): Act {
  const { args } = decodeFunctionData({ abi: agentNftAbi, data });
  const [order] = args as unknown as [
    Omit<OrderedAgent, 'terms'> & {
      key: Hex;
      terms: Omit<OrderedAgent['terms'], 'caps' | 'allow' | 'deny' | 'offChain'>;
      caps: readonly OrderedAgent['terms']['caps'][];
      allow: readonly Hex[];
      deny: readonly Hex[];
    },
  ];
  const { to, paymentRef, key, allow, deny } = order;
  const caps = order.caps[0]!;
  return (state) => {
    const agent = mint(state, { to, paymentRef, key, ...order.terms, ...caps }, forgetful);
    const minted = { tokenId: agent.tokenId, account: agent.account as Hex };
    return mintLogs(DEPLOYMENT, minted, { ...order, terms: { ...order.terms, caps, allow, deny } });
  };
}

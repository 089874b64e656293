import { encodeAbiParameters, encodeEventTopics, type Hex, pad, toEventSelector } from 'viem';
import { keccak } from '../../../agents/canonical.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import { type ChainLog, type ChainReader, type ReadCall, ReaderError } from '../../../chain/rpc/reader.ts';
import { hasTopics } from '../../fixtures/chain/log-topics.ts';
import { DEPLOYMENT } from '../chain.ts';

/** An agent in the contracts of this chain. Addresses in lower case. */
export interface LedgerAgent {
  readonly tokenId: bigint;
  owner: string;
  readonly account: string;
  readonly key: string;
  readonly mandateHash: string;
}

const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const UNCAPPED = 2n ** 256n - 1n;
const FUNDS = 10n ** 15n;
const NOBODY = `0x${'0'.repeat(40)}`;
const WORD = `0x${'00'.repeat(32)}` as const;

/** A unique address derived from a name, the same in every run. */
export function addressOf(name: string): Hex {
  return `0x${keccak(name).slice(-40)}`;
}

const HOLDER = `0x${'b0'.repeat(20)}`;

/**
 * The chain of a simulated market: owners of agents, transfers of money, settlements. Each transaction gets its own
 * block, as on local chains, and the service reads it through its usual interface.
 */
export class MarketLedger {
  readonly #now: () => Date;
  readonly #agents = new Map<bigint, LedgerAgent>();
  readonly #byAccount = new Map<string, LedgerAgent>();
  readonly #logs: ChainLog[] = [];
  /** Of the settlement token, by address in lower case: what its transfers add up to. */
  readonly #balances = new Map<string, bigint>();
  #height = 1;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Mints an agent with an account of its own (ERC-6551), and money for it, much of it unless told. */
  mint(handle: string, owner: string, mandateHash: string, funds: bigint = FUNDS): LedgerAgent {
    const tokenId = BigInt(this.#agents.size + 1);
    const account = addressOf(`account of ${handle}`);
    const agent = { tokenId, owner, account, key: addressOf(`key of ${handle}`), mandateHash };
    this.#agents.set(tokenId, agent);
    this.#byAccount.set(account, agent);
    if (funds > 0n) this.#mine([transfer(NOBODY, account, funds)]);
    return agent;
  }

  /** Sends money of the settlement token. */
  pay(from: string, to: string, amount: bigint): void {
    this.#mine([transfer(from, to, amount)]);
  }

  /** The payment and the event of one settled deal, in one transaction. @returns its hash and its block */
  settle(deal: {
    readonly dealId: string;
    readonly seller: string;
    readonly buyer: string;
    readonly tokenId: bigint;
    readonly price: bigint;
    readonly fee: bigint;
  }): { tx: Hex; block: bigint } {
    const { seller, buyer, price, fee } = deal;
    const topics = encodeEventTopics({
      abi: settlementAbi,
      eventName: 'DealSettled',
      args: { dealId: keccak(deal.dealId), seller: seller as Hex, buyer: buyer as Hex },
    }) as Hex[];
    const data = encodeAbiParameters(
      ['address', 'uint256', 'address', 'uint256', 'uint256'].map((type) => ({ type })),
      [DEPLOYMENT.assets, deal.tokenId, DEPLOYMENT.usdc, price, fee],
    );
    return this.#mine([
      transfer(buyer, seller, price - fee),
      transfer(buyer, DEPLOYMENT.vault, fee),
      { address: DEPLOYMENT.settlement, topics, data },
    ]);
  }

  #mine(logs: readonly Pick<ChainLog, 'address' | 'topics' | 'data'>[]): { tx: Hex; block: bigint } {
    const block = BigInt(++this.#height);
    const tx = keccak(`transaction ${block}`);
    for (const { topics, data } of logs.filter((log) => log.topics[0] === TRANSFER)) {
      const [from, to] = topics.slice(1).map((topic) => `0x${topic.slice(26)}`);
      this.#balances.set(from!, (this.#balances.get(from!) ?? 0n) - BigInt(data));
      this.#balances.set(to!, (this.#balances.get(to!) ?? 0n) + BigInt(data));
    }
    for (const log of logs)
      this.#logs.push({
        ...log,
        blockNumber: block,
        blockHash: hashOf(block),
        transactionHash: tx,
        logIndex: this.#logs.length,
      });
    return { tx, block };
  }

  reader(client: 'viem' | 'ethers'): ChainReader {
    return {
      client,
      chainId: DEPLOYMENT.chainId,
      endpoint: `the market's ledger`,
      maxHeadAgeSeconds: 60,
      head: async () => ({
        number: BigInt(this.#height),
        hash: hashOf(BigInt(this.#height)),
        timestamp: BigInt(Math.floor(this.#now().getTime() / 1000)),
      }),
      blockHash: async (block) => hashOf(block),
      timestamp: async () => 0n,
      confirm: async () => {},
      code: async (address) => this.#codeOf(address),
      nonce: async () => 1,
      balance: async () => 10n ** 18n,
      storage: async () => WORD,
      valueTransfers: async (block) => ({
        ...{ number: block, hash: hashOf(block), timestamp: 0n },
        ...{ transfers: [], created: [] },
      }),
      receipt: async () => null,
      simulate: async () => {
        throw new ReaderError('down', 'nothing is simulated on this ledger', { lasting: true });
      },
      read: async (call) => this.#read(call),
      logs: async ({ address, topics, fromBlock, toBlock }) =>
        this.#logs.filter(
          (log) =>
            log.blockNumber >= fromBlock &&
            log.blockNumber <= toBlock &&
            (address === undefined || [address].flat().includes(log.address)) &&
            hasTopics(log.topics, topics),
        ),
    };
  }

  /** The EIP-1167 code with the ERC-6551 data behind it; owners are wallets without code. */
  #codeOf(address: string): Hex {
    const agent = this.#byAccount.get(address.toLowerCase());
    if (agent === undefined) return '0x';
    const word = (value: bigint | string): string =>
      (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');
    const words = [0n, BigInt(DEPLOYMENT.chainId), DEPLOYMENT.agentNft, agent.tokenId].map(word).join('');
    return `0x363d3d373d3d3d363d73${DEPLOYMENT.accountImplementation.slice(2)}5af43d82803e903d91602b57fd5bf3${words}`;
  }

  #read({ address, functionName, args = [] }: ReadCall): unknown {
    const agent = (): LedgerAgent => {
      const found = this.#agents.get(args[0] as bigint);
      if (found === undefined) throw new ReaderError('reverted', 'there is no such agent');
      return found;
    };
    switch (functionName) {
      case 'ownerOf':
        // The lots of the market are tokens of one holder: who holds them is not what is tried out here.
        return address.toLowerCase() === DEPLOYMENT.agentNft.toLowerCase() ? agent().owner : HOLDER;
      case 'keyIsLive':
        return agent().key === String(args[1]).toLowerCase();
      case 'mandates':
        return agent().mandateHash;
      case 'remaining': {
        const [day, week, month, total] = [UNCAPPED, UNCAPPED, UNCAPPED, UNCAPPED];
        return { perDeal: FUNDS, day, week, month, total, spendable: FUNDS };
      }
      case 'balanceOf':
        return this.#balances.get(String(args[0]).toLowerCase()) ?? 0n;
      case 'isBlacklisted':
        return false;
      case 'implementation':
      case 'facetAddresses':
        throw new ReaderError('reverted', 'no contract of this market runs what it names so');
      default:
        throw new Error(`the market's ledger does not answer ${functionName}`);
    }
  }
}

function transfer(from: string, to: string, amount: bigint): Pick<ChainLog, 'address' | 'topics' | 'data'> {
  const topic = (address: string): Hex => pad(address as Hex, { size: 32 });
  return {
    address: DEPLOYMENT.usdc,
    topics: [TRANSFER, topic(from), topic(to)],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
  };
}

function hashOf(block: bigint): Hex {
  return keccak(`block ${block}`);
}

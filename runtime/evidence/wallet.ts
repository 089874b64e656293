import { keccak } from '../../agents/canonical.ts';
import { accountKind, type CodeFacts } from '../../agents/determinations/account-code.ts';
import type { WalletAddress } from '../../agents/determinations/address.ts';
import type {
  Depth,
  DeterminationEvidence,
  Performer,
  PinnedBlocks,
} from '../../agents/determinations/types.ts';
import { relatedAddresses } from '../../agents/determinations/wallet.ts';
import type { ChainReading, WalletCommon, WalletFacts } from '../../agents/determinations/wallet-evidence.ts';
import type { ChainReader } from '../../chain/readers/reader.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from './deps.ts';
import { gatherHistory } from './history.ts';
import { gatherRegister } from './lists.ts';
import { runPanel, type SeatReaders } from './panel.ts';
import { pinBlocks, pinnedNumber, requirePinned } from './pins.ts';

interface WalletQuestion {
  readonly address: WalletAddress;
  readonly chainId: number | null;
  readonly depth: Depth | null;
  readonly performer: Performer;
}

/** Reads everything a wallet determination rests on: each seat its own chains, then lists and history once. */
export async function gatherWallet(
  deps: EvidenceDeps,
  question: WalletQuestion,
): Promise<DeterminationEvidence<WalletCommon, WalletFacts>> {
  const { address, chainId, depth, performer } = question;
  const started = deps.now();
  const evm = address.type === 'evm';
  const configured = evm ? [...deps.readers.keys()].sort((a, b) => a - b) : [];
  const unknown = evm && chainId !== null && !deps.readers.has(chainId) ? [chainId] : [];
  const wanted = [...configured, ...unknown];
  const blocks = await pinBlocks(deps, configured);
  const seats = await runPanel<WalletFacts>(deps, {
    depth,
    chains: configured,
    gather: (readers) =>
      readChains(readers, { wanted, address: address.key, blocks, ms: chainTimeoutMs(deps) }),
  });
  const related = relatedAddresses(seats.flatMap((s) => (s.facts === null ? [] : [s.facts])));
  const keys = [address.key, ...related];
  const [sanctions, knownScam, history] = await Promise.all([
    gatherRegister(deps.db, 'sanctions', keys),
    gatherRegister(deps.db, 'known-scam', keys),
    gatherHistory(deps.db, address.key, started),
  ]);
  return {
    id: 'wallet',
    rules: 1,
    at: started.toISOString(),
    performer,
    depth,
    common: {
      address: address.given,
      addressType: address.type,
      chainId,
      chains: evm ? wanted.map(caip2) : ['solana'],
      sanctions,
      knownScam,
      history,
      platform: [...deps.deployments.values()].map((d) => ({
        chain: caip2(d.chainId),
        implementation: d.accountImplementation.toLowerCase(),
        agentNft: d.agentNft.toLowerCase(),
      })),
    },
    blocks,
    seats,
    latencyMs: deps.now().getTime() - started.getTime(),
  };
}

interface Reading {
  readonly wanted: readonly number[];
  readonly address: string;
  readonly blocks: PinnedBlocks;
  readonly ms: number;
}

async function readChains(readers: SeatReaders, reading: Reading): Promise<WalletFacts> {
  if (reading.wanted.length === 0) return { chains: [unread('solana', 'no Solana reader is configured')] };
  const read = reading.wanted.map(async (id) => {
    const reader = readers.of(id);
    if (reader === null) return unread(caip2(id), `no RPC URL is configured for ${caip2(id)}`);
    try {
      return await within(readChain(reader, reading), reading.ms, `${reader.client} on ${caip2(id)}`);
    } catch (error) {
      return unread(caip2(id), faultOf(error));
    }
  });
  return { chains: await Promise.all(read) };
}

async function readChain(reader: ChainReader, { address, blocks }: Reading): Promise<ChainReading> {
  const chain = caip2(reader.chainId);
  const block = pinnedNumber(blocks, reader.chainId);
  const who = address as `0x${string}`;
  const [code, nonce, balance] = await Promise.all([
    reader.code(who, block),
    reader.nonce(who, block),
    reader.balance(who, block),
  ]);
  const facts = await codeFacts(reader, who, block, code);
  // Asked last: whatever was read before a reorganisation is thrown away with it.
  await requirePinned(reader, blocks);
  return { chain, nonce, balance: balance.toString(), code: facts, fault: null };
}

function unread(chain: string, fault: string): ChainReading {
  return { chain, nonce: null, balance: null, code: null, fault };
}

/** EIP-1967: keccak256('eip1967.proxy.implementation') − 1. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

async function codeFacts(
  reader: ChainReader,
  address: `0x${string}`,
  block: bigint,
  code: `0x${string}`,
): Promise<CodeFacts> {
  const size = (code.length - 2) / 2;
  const facts: CodeFacts = {
    size,
    hash: size === 0 ? null : keccak(Buffer.from(code.slice(2), 'hex')),
    head: code.slice(0, 2 + 512).toLowerCase() as `0x${string}`,
    implementation: null,
  };
  if (accountKind(facts).kind !== 'contract') return facts;
  const word = (await reader.storage(address, IMPLEMENTATION_SLOT, block)).slice(2).padStart(64, '0');
  const holds = /^0{24}/.test(word) && !/^0+$/.test(word);
  return { ...facts, implementation: holds ? `0x${word.slice(24).toLowerCase()}` : null };
}

import {
  Contract,
  type FunctionFragment,
  getAddress,
  getBigInt,
  getNumber,
  Interface,
  type InterfaceAbi,
  isError,
  isHexString,
  type ParamType,
  toBeHex,
  toQuantity,
} from 'ethers';
import { lowerAddress } from '../../../agents/ids.ts';
import { answersList, mostBytesOf, mostBytesOnTheWire, requireLength } from '../answer-length.ts';
import { attempts, endpointOf } from '../attempts.ts';
import { AnswerTooLarge } from '../bounded-answers.ts';
import { CALL_GAS, callError, explained } from '../calls.ts';
import { RpcRefusal } from '../json-rpc.ts';
import { saysBlockMissing } from '../missing-block.ts';
import {
  type Abi,
  type Address,
  type ChainReader,
  type Head,
  type Hex,
  type Place,
  type ReadCall,
  ReaderError,
  type ReaderOptions,
} from '../reader.ts';
import { simulationError } from '../simulation.ts';
import { bytesIn } from './bytes.ts';
import { listHead } from './list-head.ts';
import { BoundedProvider } from './provider.ts';
import { outcomesOf, simulatedBlock } from './simulate.ts';
import { moneyMoved, receiptFor, receiptOf } from './value-transfers.ts';

/** How ethers is told of a block: the head, a number, or a hash that must still count (EIP-1898). */
type BlockTag = string | { readonly blockHash: string; readonly requireCanonical: true };

/**
 * Reads a chain through ethers: its batches, its encoding and decoding. Nothing that the other reader's values pass
 * through runs here, so that a fault there shows as two readings that differ. What the two share decides about failures
 * alone: how often to ask again, and whose fault a refusal is.
 * @throws ReaderError from every method
 */
export function ethersReader(
  options: ReaderOptions,
  provider = new BoundedProvider(options.rpcUrl, options.chainId, options.timeoutMs ?? 5_000),
): ChainReader {
  const { rpcUrl, chainId } = options;
  const attempt = attempts(options, classify);
  const onChain = async () => {
    const found = getNumber((await provider.send('eth_chainId', [])) as string);
    if (found !== chainId)
      throw new ReaderError('disagreeing', `the node answers for chain ${found}, not ${chainId}`);
  };
  let known = false;

  const ask = <T>(read: () => Promise<T>): Promise<T> =>
    attempt(async () => {
      if (!known) await onChain();
      known = true;
      return read();
    });
  // The chain id is checked with every block that is read, because the URL may come to serve another chain.
  const header = (block: bigint | 'latest') =>
    ask(async () => {
      const [chain, asked] = await Promise.allSettled([onChain(), provider.getBlock(block)]);
      // A block of another chain says nothing, so the chain's error is thrown first.
      if (chain.status === 'rejected') throw chain.reason;
      if (asked.status === 'rejected') throw asked.reason;
      const found = asked.value;
      if (found?.hash == null) throw new ReaderError('reorganised', `the node does not have block ${block}`);
      return { number: BigInt(found.number), hash: found.hash as Hex, timestamp: BigInt(found.timestamp) };
    });
  const blockHash = async (block: bigint) => (await header(block)).hash;
  const confirm: ChainReader['confirm'] = async ({ number, hash }) => {
    const found = await blockHash(number);
    if (found.toLowerCase() !== hash.toLowerCase())
      throw new ReaderError('reorganised', `block ${number} was ${hash} and is now ${found}`);
  };
  let takesHashes = true;
  /** A node of before EIP-1898 is asked by number, and afterwards whether that number is still the block. */
  const at = async <T>(place: Place | 'latest', read: (block: BlockTag) => Promise<T>): Promise<T> => {
    if (place === 'latest') return await read(place);
    if (typeof place === 'bigint') return await read(toQuantity(place));
    if (takesHashes) {
      try {
        return await read({ blockHash: place.hash, requireCanonical: true });
      } catch (error) {
        if (!wantsNumber(error)) throw error;
        takesHashes = false;
      }
    }
    const found = await read(toQuantity(place.number));
    await confirm(place);
    return found;
  };
  /** Calls the node directly, because ethers cannot say that a block given by hash must be canonical. */
  const state = <T>(method: string, read: (answer: string) => T, place: Place, ...args: readonly string[]) =>
    at(place, (block) => ask(async () => read((await provider.send(method, [...args, block])) as string)));

  return {
    client: 'ethers',
    chainId,
    endpoint: endpointOf(rpcUrl),
    async head(): Promise<Head> {
      let block = await header('latest');
      if (await options.freshen?.(block.timestamp)) block = await header('latest');
      return block;
    },
    blockHash,
    timestamp: async (block) => (await header(block)).timestamp,
    confirm,
    code: async (address, block) =>
      await state('eth_getCode', (code) => bytesIn(code), block, lowerAddress(address)),
    nonce: (address, block) => state('eth_getTransactionCount', getNumber, block, lowerAddress(address)),
    balance: (address, block) => state('eth_getBalance', getBigInt, block, lowerAddress(address)),
    storage: async (address, slot, block) => {
      const word = (answer: string) => toBeHex(getBigInt(answer), 32);
      return (await state('eth_getStorageAt', word, block, lowerAddress(address), slot)) as Hex;
    },
    read: async (call) => {
      const shape = interfaceOf(call.abi);
      const args = call.args ?? [];
      const fragment = new Contract(lowerAddress(call.address), shape)
        .getFunction(call.functionName)
        .getFragment(...args);
      const data = call.data ?? shape.encodeFunctionData(fragment, args);
      return at(call.block, (block) =>
        explained(
          () => ask(() => readContract(provider, call, { shape, fragment, data }, block)),
          () => ask(() => provider.send('eth_call', [{ to: PRECOMPILED, data: '0x', gas: GAS }, block])),
        ),
      );
    },
    async logs({ address, topics, fromBlock, toBlock }) {
      const filter = {
        ...(address
          ? { address: typeof address === 'string' ? lowerAddress(address) : address.map(lowerAddress) }
          : {}),
        topics: topics.map((t) => (typeof t === 'string' || t === null ? t : [...t])),
        fromBlock,
        toBlock,
      };
      const found = await ask(() => provider.getLogs(filter));
      return found.map((log) => ({
        address: getAddress(log.address) as Address,
        topics: log.topics as readonly Hex[],
        data: log.data as Hex,
        blockNumber: BigInt(log.blockNumber),
        blockHash: log.blockHash as Hex,
        transactionHash: log.transactionHash as Hex,
        logIndex: log.index,
      }));
    },
    valueTransfers: (block, { alone } = { alone: false }) =>
      ask(async () => {
        await onChain();
        return await moneyMoved(provider, block, alone);
      }),
    simulate: (query) =>
      at(query.block, (block) =>
        ask(async () => {
          const asked = { blockStateCalls: [simulatedBlock(query)], validation: false, traceTransfers: true };
          try {
            const told: unknown = await provider.send('eth_simulateV1', [asked, block]);
            return outcomesOf(told, query.calls.length);
          } catch (error) {
            throw simulationError(error);
          }
        }),
      ),
    receipt: (tx) =>
      ask(async () => {
        await onChain();
        return receiptOf(await receiptFor(provider, tx));
      }),
  };
}

const GAS = toQuantity(CALL_GAS);
/** The precompiled identity contract, which returns its input on every chain. */
const PRECOMPILED = '0x0000000000000000000000000000000000000004';

const interfaces = new WeakMap<Abi, Interface>();

function interfaceOf(abi: Abi): Interface {
  let found = interfaces.get(abi);
  if (!found) {
    found = new Interface(abi as InterfaceAbi);
    interfaces.set(abi, found);
  }
  return found;
}

async function readContract(
  provider: BoundedProvider,
  asked: ReadCall,
  { shape, fragment, data }: { shape: Interface; fragment: FunctionFragment; data: string },
  block: BlockTag,
): Promise<unknown> {
  const { address, functionName, most, from } = asked;
  const mostBytes = mostBytesOf(asked);
  const call = { to: lowerAddress(address), data, gas: GAS, ...(from && { from: lowerAddress(from) }) };
  const told = await provider
    .send('eth_call', [call, block], mostBytesOnTheWire(mostBytes))
    .catch((error: unknown) => {
      const refused = error instanceof RpcRefusal ? error : null;
      const found = callError(error, refused);
      throw found?.kind === 'reverted' ? (named(shape, refused?.data) ?? found) : (found ?? error);
    });
  const answer = bytesOf(told);
  requireLength(answer, mostBytes);
  try {
    const head = most !== undefined && answersList(asked) ? listHead(answer, most) : answer;
    const values = shape.decodeFunctionResult(fragment, head);
    const outputs = fragment.outputs.map((output, i) => plain(output, values[i]));
    return outputs.length > 1 ? outputs : outputs[0];
  } catch (cause) {
    throw new ReaderError('reverted', `${address} does not answer ${functionName}`, { cause });
  }
}

/** @throws ReaderError down for anything that is not bytes */
function bytesOf(told: unknown): string {
  if (isHexString(told) && told.length % 2 === 0) return told;
  throw new ReaderError('down', 'the answer has another form than bytes');
}

/** The custom error's name by the ABI; null when the ABI has none. Nodes put the revert data in several places. */
function named(shape: Interface, data: unknown): ReaderError | null {
  const bytes = isHexString(data) ? data : null;
  if (bytes === null) {
    const { data: inner, originalError } = (data ?? {}) as { data?: unknown; originalError?: unknown };
    return inner || originalError ? named(shape, inner ?? originalError) : null;
  }
  try {
    const found = shape.parseError(bytes);
    if (!found) return null;
    const args = found.fragment.inputs.map((input, i) => plain(input, found.args[i]));
    const message = `${found.name}(${args.map(String).join(', ')})`;
    return new ReaderError('reverted', message, { errorName: found.name, args });
  } catch {
    // A contract may revert with data that begins like a known error and is malformed after that.
    return null;
  }
}

/** Converts a decoded value to the form that both readers share: see ChainReader. */
function plain(type: ParamType, value: unknown): unknown {
  if (type.isArray()) return Array.from(value as Iterable<unknown>, (v) => plain(type.arrayChildren, v));
  if (type.isTuple()) {
    const members = Array.from(value as Iterable<unknown>);
    const values = type.components.map((component, i) => plain(component, members[i]));
    if (type.components.some((component) => component.name === '')) return values;
    return Object.fromEntries(type.components.map((component, i) => [component.name, values[i]]));
  }
  const bits = /^u?int(\d+)$/.exec(type.baseType)?.[1];
  return bits !== undefined && Number(bits) <= 48 ? Number(value) : value;
}

/** JSON-RPC's "invalid params", or the words of a parser that wants text where the object stands. */
function wantsNumber(error: unknown): boolean {
  const refused = error instanceof ReaderError && error.kind === 'down' ? error.cause : null;
  return (
    refused instanceof RpcRefusal &&
    (refused.code === -32602 || /unmarshal|invalid (?:argument|params|block)|string/i.test(refused.message))
  );
}

/** Makes a ReaderError of what ethers or the provider throws. */
export function classify(error: unknown): ReaderError {
  if (isError(error, 'SERVER_ERROR') && error.response) {
    const { statusCode } = error.response;
    // Another attempt may help with a node that is overrun or broken; not with one that turned the request away.
    const lasting = statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;
    return new ReaderError('down', `the node answers HTTP ${statusCode}`, { lasting });
  }
  if (error instanceof AnswerTooLarge)
    return new ReaderError('down', error.message, { cause: error, lasting: true });
  if (isError(error, 'TIMEOUT'))
    return new ReaderError('slow', 'the node does not answer in time', { cause: error });
  if (error instanceof RpcRefusal && saysBlockMissing(error.message))
    return new ReaderError('reorganised', 'the node does not have this block', { cause: error });
  const said = error instanceof RpcRefusal ? `: ${error.message}` : '';
  return new ReaderError('down', `the node is not reachable or refused${said}`, { cause: error });
}

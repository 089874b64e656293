import {
  type CallExceptionError,
  Contract,
  FetchRequest,
  type FunctionFragment,
  getAddress,
  getBigInt,
  getNumber,
  hexlify,
  Interface,
  type InterfaceAbi,
  isCallException,
  isError,
  JsonRpcProvider,
  Network,
  type ParamType,
  toBeHex,
} from 'ethers';
import type { Abi, Address, Hex } from 'viem';
import { lowerAddress } from '../../agents/ids.ts';
import { attempts, both, endpointOf, requireChain, requireHash, saysBlockMissing } from './attempts.ts';
import { coalesced, type Post } from './coalesce.ts';
import { type BlockParam, placed } from './place.ts';
import {
  type ChainReader,
  type Head,
  type Place,
  type ReadCall,
  ReaderError,
  type ReaderOptions,
} from './reader.ts';
import { type Questions, questions } from './wire.ts';

/** Reads a chain through ethers, decoding included: nothing of viem runs here. @throws ReaderError from every method */
export function ethersReader(options: ReaderOptions): ChainReader {
  const { rpcUrl, chainId, timeoutMs = 5_000 } = options;
  const request = new FetchRequest(rpcUrl);
  request.timeout = timeoutMs;
  const provider = new BareProvider(request, Network.from(chainId));
  const attempt = attempts(options, classify);
  const onChain = async () =>
    requireChain(chainId, getNumber((await provider.send('eth_chainId', [])) as string));
  let known = false;

  const ask = <T>(read: () => Promise<T>): Promise<T> =>
    attempt(async () => {
      if (!known) await onChain();
      known = true;
      return read();
    });
  // A node may come to stand for another chain: asked again with every block that others are read at.
  const header = (block: bigint | 'latest') =>
    ask(async () => {
      const found = await both(onChain(), provider.getBlock(block));
      if (found?.hash == null) throw new ReaderError('reorganised', `the node does not have block ${block}`);
      return { number: BigInt(found.number), hash: found.hash as Hex, timestamp: BigInt(found.timestamp) };
    });
  const blockHash = async (block: bigint) => (await header(block)).hash;
  const confirm: ChainReader['confirm'] = async (pin) => requireHash(pin, await blockHash(pin.number));
  const at = placed(confirm);
  /** Ethers' own calls name a block by its hash without saying that it must still count. */
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
    confirm,
    code: async (address, block) =>
      (await state('eth_getCode', (code) => hexlify(code), block, lowerAddress(address))) as Hex,
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
        ask(() => readContract(provider, call, { shape, fragment, data }, block)),
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
  };
}

/** The exchange that is ethers' own: nothing of it is shared with the other reader. */
function exchanging(origin: FetchRequest): Post {
  const get = FetchRequest.createGetUrlFunc();
  return async (body) => {
    const whole = origin.clone();
    whole.body = body;
    whole.setHeader('content-type', 'application/json');
    const { statusCode, body: bytes } = await get(whole);
    return { status: statusCode, text: textOf(bytes) };
  };
}

/**
 * Sends each question at once and reads what it is answered as JSON at once. Ethers would hold it back for a timer, make
 * a request of its own for it, and read text by a way that takes 0.1 s for a thousand logs.
 */
class BareProvider extends JsonRpcProvider {
  readonly #question: Questions;

  constructor(request: FetchRequest, network: Network) {
    // A static network: otherwise ethers asks a dead node for its chain once a second, for ever. No cache: an answer
    // must be of the block it names.
    super(request, network, { staticNetwork: network, cacheTimeout: -1 });
    this.#question = questions(coalesced(exchanging(request)));
  }

  override async send(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
    const { id, result, error } = await this.#question(method, params);
    if (error)
      throw this.getRpcError({ jsonrpc: '2.0', id: Number(id), method, params }, { id: Number(id), error });
    return result;
  }
}

function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? '' : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

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
  provider: JsonRpcProvider,
  { address, functionName }: ReadCall,
  { shape, fragment, data }: { shape: Interface; fragment: FunctionFragment; data: string },
  block: BlockParam,
): Promise<unknown> {
  const answer = hexlify(
    await provider.send('eth_call', [{ to: lowerAddress(address), data }, block]).catch((error: unknown) => {
      throw isRevert(error) ? refusal(shape, error.data) : error;
    }),
  );
  try {
    const values = shape.decodeFunctionResult(fragment, answer);
    const outputs = fragment.outputs.map((output, i) => plain(output, values[i]));
    return outputs.length > 1 ? outputs : outputs[0];
  } catch (cause) {
    throw new ReaderError('reverted', `${address} does not answer ${functionName}`, { cause });
  }
}

function refusal(shape: Interface, data: string | null): ReaderError {
  const found = data && data.length >= 10 ? shape.parseError(data) : null;
  if (!found) return new ReaderError('reverted', 'the contract refused without a name');
  const args = found.fragment.inputs.map((input, i) => plain(input, found.args[i]));
  return new ReaderError('reverted', `${found.name}(${args.map(String).join(', ')})`, {
    errorName: found.name,
    args,
  });
}

/** The common shape of a decoded value: see ChainReader. */
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

/** Ethers calls every refusal of `eth_call` an exception of the call, a missing block and a rate limit too. */
function isRevert(error: unknown): error is CallExceptionError {
  if (!isCallException(error)) return false;
  const said = (error.info?.error ?? {}) as { code?: unknown; message?: unknown };
  return error.data !== null || said.code === 3 || /revert/i.test(String(said.message));
}

function classify(error: unknown): ReaderError {
  if (isError(error, 'TIMEOUT'))
    return new ReaderError('slow', 'the node does not answer in time', { cause: error });
  if (saysBlockMissing(messageOf(error))) {
    return new ReaderError('reorganised', 'the node does not have this block', { cause: error });
  }
  return new ReaderError('down', 'the node is not reachable or refused', { cause: error });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { error: inner, info } = error as { error?: Worded; info?: { error?: Worded } };
  return [error.message, inner?.message, info?.error?.message].join(' ');
}

interface Worded {
  readonly message?: string;
}

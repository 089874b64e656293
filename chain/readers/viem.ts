import {
  BaseError,
  createPublicClient,
  custom,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  type PublicClient,
  pad,
  type RpcBlock,
  type RpcLog,
  RpcRequestError,
} from 'viem';
import { lowerAddress } from '../../agents/ids.ts';
import { decodeRevert, describeRevert, revertData } from '../revert.ts';
import { attempts, both, endpointOf, requireChain, requireHash, saysBlockMissing } from './attempts.ts';
import { coalesced } from './coalesce.ts';
import { type BlockParam, placed } from './place.ts';
import {
  type ChainReader,
  type Head,
  type Place,
  type ReadCall,
  ReaderError,
  type ReaderOptions,
} from './reader.ts';
import { posting, questions, requireBytes, requireQuantity } from './wire.ts';

/** Reads a chain through viem. @throws ReaderError from every method */
export function viemReader(options: ReaderOptions): ChainReader {
  const { rpcUrl, chainId, timeoutMs = 5_000 } = options;
  const question = questions(coalesced(posting(rpcUrl, timeoutMs * 0.9)));
  // In place of viem's own transport, which makes a time-out's error, an abort signal and a `Response` for every question.
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const { result, error } = await question(method, params ?? []);
    if (error) throw new RpcRequestError({ body: { method }, error, url: endpointOf(rpcUrl) });
    return result;
  };
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
  const attempt = attempts(options, classify);
  const onChain = async () => requireChain(chainId, await client.getChainId());
  let known = false;

  const ask = <T>(read: (client: PublicClient) => Promise<T>): Promise<T> =>
    attempt(async () => {
      if (!known) await onChain();
      known = true;
      return read(client);
    });
  // A node may come to stand for another chain: asked again with every block that others are read at.
  const header = (block?: bigint): Promise<Head> =>
    ask(async (c) => {
      // Asked bare: viem hands one pending `getBlock` to whoever asks the same, a later attempt too.
      const params = [block === undefined ? 'latest' : numberToHex(block), false];
      const asked = c.request({ method: 'eth_getBlockByNumber', params } as never);
      const found = (await both(onChain(), asked)) as RpcBlock | null;
      if (found === null || found.number === null || found.hash === null)
        throw new ReaderError('reorganised', `the node does not have block ${block ?? 'latest'}`);
      const { number, hash, timestamp } = found;
      return {
        number: requireQuantity(number),
        hash: requireBytes(hash),
        timestamp: requireQuantity(timestamp),
      };
    });
  /** Asked bare: viem's own calls take an empty text for nought and pass any text on for code. */
  const state = <T>(method: string, read: (answer: unknown) => T, place: Place, who: Hex, slot?: Hex) =>
    at(place, (block) =>
      ask(async (c) => {
        const params = [lowerAddress(who), ...(slot === undefined ? [] : [slot]), block];
        return read(await c.request({ method, params } as never));
      }),
    );
  const blockHash = async (block: bigint) => (await header(block)).hash;
  const confirm: ChainReader['confirm'] = async (pin) => requireHash(pin, await blockHash(pin.number));
  const at = placed(confirm);

  return {
    client: 'viem',
    chainId,
    endpoint: endpointOf(rpcUrl),
    async head(): Promise<Head> {
      let block = await header();
      if (await options.freshen?.(block.timestamp)) block = await header();
      return block;
    },
    blockHash,
    confirm,
    code: (address, block) => state('eth_getCode', requireBytes, block, address),
    nonce: async (address, block) =>
      Number(await state('eth_getTransactionCount', requireQuantity, block, address)),
    balance: (address, block) => state('eth_getBalance', requireQuantity, block, address),
    storage: async (address, slot, block) => {
      const word = (answer: unknown) => pad(numberToHex(requireQuantity(answer)));
      return await state('eth_getStorageAt', word, block, address, slot);
    },
    read: async (call) => {
      const { abi, functionName, args = [] } = call;
      const data = encodeFunctionData({ abi, functionName, args });
      return at(call.block, (block) => ask((c) => readContract(c, call, data, block)));
    },
    async logs({ address, topics, fromBlock, toBlock }) {
      const filter = {
        ...(address
          ? { address: typeof address === 'string' ? lowerAddress(address) : address.map(lowerAddress) }
          : {}),
        topics: topics.map((t) => (typeof t === 'string' || t === null ? t : [...t])),
        fromBlock: numberToHex(fromBlock),
        toBlock: numberToHex(toBlock),
      };
      return await ask(async (c) => {
        const found = (await c.request({ method: 'eth_getLogs', params: [filter] } as never)) as RpcLog[];
        return found.map((log) => ({
          address: getAddress(log.address),
          topics: log.topics.map(requireBytes),
          data: requireBytes(log.data),
          blockNumber: requireQuantity(log.blockNumber),
          blockHash: requireBytes(log.blockHash),
          transactionHash: requireBytes(log.transactionHash),
          logIndex: Number(requireQuantity(log.logIndex)),
        }));
      });
    },
  };
}

async function readContract(
  client: PublicClient,
  { address, abi, functionName }: ReadCall,
  data: Hex,
  block: BlockParam,
): Promise<unknown> {
  let answer: unknown;
  try {
    const params = [{ to: lowerAddress(address), data }, block];
    answer = await client.request({ method: 'eth_call', params } as never);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal || !isRevert(refusal)) throw error;
    const revert = decodeRevert(revertData(refusal.data), abi);
    const { errorName, args } = revert;
    throw new ReaderError(
      'reverted',
      describeRevert(revert),
      errorName === undefined ? {} : { errorName, args },
    );
  }
  const returned = requireBytes(answer ?? '0x');
  try {
    return decodeFunctionResult({ abi, functionName, data: returned });
  } catch (cause) {
    throw new ReaderError('reverted', `${address} does not answer ${functionName}`, { cause });
  }
}

function classify(error: unknown): ReaderError {
  const message = error instanceof BaseError ? error.shortMessage : String(error);
  if (error instanceof BaseError) {
    const own = error.walk((e) => e instanceof ReaderError);
    if (own instanceof ReaderError) return own;
    const refusal = refusalOf(error);
    if (refusal && saysBlockMissing(`${refusal.message} ${refusal.details}`)) {
      return new ReaderError('reorganised', 'the node does not have this block', { cause: error });
    }
    if (refusal && isRevert(refusal)) return new ReaderError('reverted', message, { cause: error });
  }
  return new ReaderError('down', message, { cause: error });
}

function refusalOf(error: unknown): RpcRequestError | null {
  if (!(error instanceof BaseError)) return null;
  return error.walk((e) => e instanceof RpcRequestError) as RpcRequestError | null;
}

function isRevert(refusal: RpcRequestError): boolean {
  return refusal.code === 3 || /revert/i.test(refusal.details);
}

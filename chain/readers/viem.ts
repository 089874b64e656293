import {
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
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
  // In place of viem's client, which counts and compares, and makes an abort signal and errors, for every question.
  const request: Request = async (method, params) => {
    const { result, error } = await question(method, params);
    if (error) throw new RpcRequestError({ body: { method }, error, url: endpointOf(rpcUrl) });
    return result;
  };
  const attempt = attempts(options, classify);
  const onChain = async () =>
    requireChain(chainId, Number(requireQuantity(await request('eth_chainId', []))));
  let known = false;

  const ask = <T>(read: (request: Request) => Promise<T>): Promise<T> =>
    attempt(async () => {
      if (!known) await onChain();
      known = true;
      return read(request);
    });
  // A node may come to stand for another chain: asked again with every block that others are read at.
  const header = (block?: bigint): Promise<Head> =>
    ask(async (put) => {
      const asked = put('eth_getBlockByNumber', [block === undefined ? 'latest' : numberToHex(block), false]);
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
  const state = <T>(method: string, read: (answer: unknown) => T, place: Place, who: Hex, slot?: Hex) =>
    at(place, (block) =>
      ask(async (put) =>
        read(await put(method, [lowerAddress(who), ...(slot === undefined ? [] : [slot]), block])),
      ),
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
      const data = call.data ?? encodeFunctionData({ abi, functionName, args });
      return at(call.block, (block) => ask((put) => readContract(put, call, data, block)));
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
      return await ask(async (put) => {
        const found = (await put('eth_getLogs', [filter])) as RpcLog[];
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

type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;

async function readContract(
  request: Request,
  { address, abi, functionName }: ReadCall,
  data: Hex,
  block: BlockParam,
): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await request('eth_call', [{ to: lowerAddress(address), data }, block]);
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
  const returned = requireBytes(answer);
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

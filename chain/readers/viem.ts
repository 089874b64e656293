import {
  BaseError,
  BlockNotFoundError,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  HttpRequestError,
  http,
  numberToHex,
  type PublicClient,
  pad,
  type RpcLog,
  RpcRequestError,
} from 'viem';
import { lowerAddress } from '../../agents/ids.ts';
import { decodeRevert, describeRevert, revertData } from '../revert.ts';
import { attempts, both, endpointOf, requireChain, requireHash, saysBlockMissing } from './attempts.ts';
import { type ChainReader, type Head, type ReadCall, ReaderError, type ReaderOptions } from './reader.ts';
import { wholeAnswers } from './wire.ts';

/** Reads a chain through viem. @throws ReaderError from every method */
export function viemReader(options: ReaderOptions): ChainReader {
  const { rpcUrl, chainId, timeoutMs = 5_000 } = options;
  const client = createPublicClient({
    transport: http(rpcUrl, { retryCount: 0, timeout: timeoutMs, fetchFn: wholeAnswers(timeoutMs * 0.9) }),
    cacheTime: 0,
  });
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
  const header = (block?: bigint) =>
    ask(async (c) => {
      const asked = c.getBlock(block === undefined ? { blockTag: 'latest' } : { blockNumber: block });
      return await both(onChain(), asked);
    });
  const blockHash = async (block: bigint) => (await header(block)).hash;

  return {
    client: 'viem',
    chainId,
    endpoint: endpointOf(rpcUrl),
    async head(): Promise<Head> {
      let block = await header();
      if (await options.freshen?.(block.timestamp)) block = await header();
      return { number: block.number, hash: block.hash, timestamp: block.timestamp };
    },
    blockHash,
    confirm: async (pin) => requireHash(pin, await blockHash(pin.number)),
    code: async (address, block) =>
      (await ask((c) => c.getCode({ address: lowerAddress(address), blockNumber: block }))) ?? '0x',
    nonce: (address, block) =>
      ask((c) => c.getTransactionCount({ address: lowerAddress(address), blockNumber: block })),
    balance: (address, block) =>
      ask((c) => c.getBalance({ address: lowerAddress(address), blockNumber: block })),
    storage: async (address, slot, block) =>
      pad(
        (await ask((c) => c.getStorageAt({ address: lowerAddress(address), slot, blockNumber: block }))) ??
          '0x',
      ),
    read: async (call) => {
      const { abi, functionName, args = [] } = call;
      const data = encodeFunctionData({ abi, functionName, args });
      return ask((c) => readContract(c, call, data));
    },
    async logs({ address, topics, fromBlock, toBlock }) {
      const filter = {
        ...(address ? { address: lowerAddress(address) } : {}),
        topics: topics.map((t) => (typeof t === 'string' || t === null ? t : [...t])),
        fromBlock: numberToHex(fromBlock),
        toBlock: numberToHex(toBlock),
      };
      const found = await ask(
        (c) => c.request({ method: 'eth_getLogs', params: [filter] } as never) as Promise<RpcLog[]>,
      );
      return found.map((log) => ({
        address: getAddress(log.address),
        topics: log.topics,
        data: log.data,
        blockNumber: BigInt(log.blockNumber!),
        blockHash: log.blockHash!,
        transactionHash: log.transactionHash!,
        logIndex: Number(log.logIndex!),
      }));
    },
  };
}

async function readContract(client: PublicClient, call: ReadCall, data: Hex): Promise<unknown> {
  const { address, abi, functionName, block } = call;
  let answer: Hex | undefined;
  try {
    ({ data: answer } = await client.call({ to: lowerAddress(address), data, blockNumber: block }));
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
  try {
    return decodeFunctionResult({ abi, functionName, data: answer ?? '0x' });
  } catch (cause) {
    throw new ReaderError('reverted', `${address} does not answer ${functionName}`, { cause });
  }
}

function classify(error: unknown): ReaderError {
  const message = error instanceof BaseError ? error.shortMessage : String(error);
  if (error instanceof BaseError) {
    const own = error.walk((e) => e instanceof ReaderError);
    if (own instanceof ReaderError) return own;
    if (error.walk((e) => e instanceof Error && e.name === 'TimeoutError'))
      return new ReaderError('slow', message, { cause: error });
    if (error.walk((e) => e instanceof BlockNotFoundError)) {
      return new ReaderError('reorganised', message, { cause: error });
    }
    const refusal = refusalOf(error);
    if (refusal && saysBlockMissing(`${refusal.message} ${refusal.details}`)) {
      return new ReaderError('reorganised', 'the node does not have this block', { cause: error });
    }
    if (refusal && isRevert(refusal)) return new ReaderError('reverted', message, { cause: error });
    if (error.walk((e) => e instanceof HttpRequestError)) {
      return new ReaderError('down', 'the node is not reachable', { cause: error });
    }
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

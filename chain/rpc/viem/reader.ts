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
} from 'viem';
import { lowerAddress } from '../../../agents/ids.ts';
import { answersList, mostBytesOf, mostBytesOnTheWire, requireLength } from '../answer-length.ts';
import { attempts, both, endpointOf } from '../attempts.ts';
import { AnswerTooLarge } from '../bounded-answers.ts';
import { CALL_GAS, callError, explained } from '../calls.ts';
import { RpcRefusal } from '../json-rpc.ts';
import { saysBlockMissing } from '../missing-block.ts';
import {
  type ChainReader,
  type Head,
  type Place,
  type ReadCall,
  ReaderError,
  type ReaderOptions,
} from '../reader.ts';
import { decodeRevert, describeRevert, revertData } from '../revert.ts';
import { simulationError } from '../simulation.ts';
import { coalesced } from './coalesce.ts';
import { firstOfList } from './first-of-list.ts';
import { type BlockParam, placed } from './place.ts';
import { simulationOutcomes, simulationParams } from './simulate.ts';
import { moved, readReceipt, receiptIn, wholeBlock } from './value-transfers.ts';
import { posting, questions, requireBytes, requireQuantity } from './wire.ts';

/** Reads a chain through viem. @throws ReaderError from every method */
export function viemReader(options: ReaderOptions): ChainReader {
  const { rpcUrl, chainId, timeoutMs = 5_000 } = options;
  const question = questions(coalesced(posting(rpcUrl, timeoutMs * 0.9)));
  // Replaces viem's client, which does more work for every request: it counts, compares, and makes an abort signal and
  // errors.
  const request: Request = async (method, params, mostBytes) => {
    const { result, error } = await question(method, params, mostBytes);
    if (error) throw new RpcRefusal(error.code, String(error.message), error.data);
    return result;
  };
  const attempt = attempts(options, classify);
  const onChain = async () => {
    const found = Number(requireQuantity(await request('eth_chainId', [])));
    if (found === chainId) return;
    throw new ReaderError('disagreeing', `the node answers for chain ${found}, not ${chainId}`);
  };
  let known = false;

  const ask = <T>(read: (request: Request) => Promise<T>): Promise<T> =>
    attempt(async () => {
      if (!known) await onChain();
      known = true;
      return read(request);
    });
  // The chain id is checked with every block that is read, because the URL may come to serve another chain.
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
  const confirm: ChainReader['confirm'] = async (pin) => {
    const found = await blockHash(pin.number);
    if (isSameHash(found, pin.hash)) return;
    throw new ReaderError('reorganised', `block ${pin.number} was ${pin.hash} and is now ${found}`);
  };
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
    timestamp: async (block) => (await header(block)).timestamp,
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
      return at(call.block, (block) =>
        explained(
          () => ask((put) => readContract(put, call, data, block)),
          () => ask((put) => put('eth_call', [{ to: IDENTITY, data: '0x', gas: GAS }, block])),
        ),
      );
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
    valueTransfers: (block, { alone } = { alone: false }) =>
      ask(async (put) => {
        const told = await both(onChain(), wholeBlock(put, block, alone));
        return await moved(block, told, (hash) => receiptIn(put, hash));
      }),
    simulate: (query) =>
      at(query.block, (block) =>
        ask(async (put) => {
          const params = simulationParams(query, block);
          const answer = await put('eth_simulateV1', params).catch((error: unknown) => {
            throw simulationError(error);
          });
          return simulationOutcomes(answer, query.calls.length);
        }),
      ),
    receipt: (tx) => ask(async (put) => readReceipt(await both(onChain(), receiptIn(put, tx)))),
  };
}

const isSameHash = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

type Request = (method: string, params: readonly unknown[], mostBytes?: number) => Promise<unknown>;

const GAS = numberToHex(CALL_GAS);
/** The precompiled identity contract, which returns its input on every chain. */
const IDENTITY = '0x0000000000000000000000000000000000000004';

async function readContract(
  request: Request,
  read: ReadCall,
  data: Hex,
  block: BlockParam,
): Promise<unknown> {
  const { address, abi, functionName, from, most } = read;
  const mostBytes = mostBytesOf(read);
  let answer: unknown;
  const call = { to: lowerAddress(address), data, gas: GAS, ...(from && { from: lowerAddress(from) }) };
  try {
    answer = await request('eth_call', [call, block], mostBytesOnTheWire(mostBytes));
  } catch (error) {
    const refused = error instanceof RpcRefusal ? error : null;
    const found = callError(error, refused);
    if (found?.kind !== 'reverted' || refused === null) throw found ?? error;
    const revert = decodeRevert(revertData(refused.data), abi);
    if (revert.errorName === undefined) throw found;
    const { errorName, args } = revert;
    throw new ReaderError('reverted', describeRevert(revert), { errorName, args, cause: error });
  }
  const returned = requireBytes(answer);
  requireLength(returned, mostBytes);
  try {
    const told = most !== undefined && answersList(read) ? firstOfList(returned, most) : returned;
    return decodeFunctionResult({ abi, functionName, data: told });
  } catch (cause) {
    throw new ReaderError('reverted', `${address} does not answer ${functionName}`, { cause });
  }
}

function classify(error: unknown): ReaderError {
  if (error instanceof AnswerTooLarge)
    return new ReaderError('down', error.message, { cause: error, lasting: true });
  if (error instanceof RpcRefusal && saysBlockMissing(error.message))
    return new ReaderError('reorganised', 'the node does not have this block', { cause: error });
  const message = error instanceof BaseError ? error.shortMessage : String(error);
  return new ReaderError('down', message, { cause: error });
}

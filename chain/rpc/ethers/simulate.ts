import { dataSlice, getBigInt, hexlify, isHexString, toQuantity } from 'ethers';
import {
  type Address,
  type Hex,
  ReaderError,
  type SimulatedOutcome,
  type SimulationQuery,
} from '../reader.ts';

/** One block of calls, as `eth_simulateV1` takes it, in ethers' notation. */
export function simulatedBlock(query: SimulationQuery): Record<string, unknown> {
  const { number, time, baseFeePerGas, feeRecipient, prevRandao, overrides = {}, calls } = query;
  const block: Record<string, unknown> = { number: toQuantity(number), time: toQuantity(time) };
  if (baseFeePerGas !== undefined) block.baseFeePerGas = toQuantity(baseFeePerGas);
  if (feeRecipient !== undefined) block.feeRecipient = feeRecipient.toLowerCase();
  if (prevRandao !== undefined) block.prevRandao = prevRandao;
  const state: Record<string, Record<string, string>> = {};
  for (const [who, account] of Object.entries(overrides)) {
    const changed: Record<string, string> = {};
    if (account.balance !== undefined) changed.balance = toQuantity(account.balance);
    if (account.code !== undefined) changed.code = account.code;
    state[who.toLowerCase()] = changed;
  }
  return {
    blockOverrides: block,
    stateOverrides: state,
    calls: calls.map((call) => {
      const sent: Record<string, string> = {
        from: call.from.toLowerCase(),
        to: call.to.toLowerCase(),
        data: hexlify(call.data),
        value: toQuantity(call.value),
        gas: toQuantity(call.gas),
      };
      if (call.maxFeePerGas !== undefined) sent.maxFeePerGas = toQuantity(call.maxFeePerGas);
      return sent;
    }),
  };
}

/** Reads the answer with ethers' own checks. @throws ReaderError down for an answer of another form */
export function outcomesOf(told: unknown, asked: number): SimulatedOutcome[] {
  try {
    const blocks = told as readonly { readonly calls: readonly RawOutcome[] }[];
    const calls = blocks[blocks.length - 1]!.calls;
    if (calls.length !== asked) throw new Error('another number of calls');
    return calls.map(outcomeOf);
  } catch (cause) {
    throw new ReaderError('down', 'the answer is no simulation of these calls', { cause });
  }
}

interface RawOutcome {
  readonly status: string;
  readonly returnData?: string;
  readonly logs?: readonly { address: string; topics: readonly string[]; data: string }[];
}

function outcomeOf({ status, returnData = '0x', logs = [] }: RawOutcome): SimulatedOutcome {
  if (getBigInt(status) !== 1n) return { ok: false, output: hexlify(returnData) as Hex, logs: [] };
  const read = logs.map(({ address, topics, data }) => {
    if (!isHexString(address, 20)) throw new Error('a log of no address');
    return {
      address: address.toLowerCase() as Address,
      topics: topics.map((topic) => dataSlice(topic, 0, 32) as Hex),
      data: hexlify(data) as Hex,
    };
  });
  return { ok: true, output: hexlify(returnData) as Hex, logs: read };
}

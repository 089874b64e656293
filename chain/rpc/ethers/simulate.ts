import { getBigInt, toQuantity } from 'ethers';
import { ReaderError, type SimulatedOutcome, type SimulationQuery } from '../reader.ts';
import { bytesIn } from './bytes.ts';

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
        data: call.data,
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
  readonly gasUsed: string;
  readonly logs?: readonly { address: string; topics: readonly string[]; data: string }[];
}

function outcomeOf({ status, returnData = '0x', gasUsed, logs = [] }: RawOutcome): SimulatedOutcome {
  const spent = getBigInt(gasUsed);
  if (getBigInt(status) !== 1n) return { ok: false, output: bytesIn(returnData), gasUsed: spent, logs: [] };
  const read = logs.map(({ address, topics, data }) => ({
    address: bytesIn(address, 20),
    topics: topics.map((topic) => bytesIn(topic, 32)),
    data: bytesIn(data),
  }));
  return { ok: true, output: bytesIn(returnData), gasUsed: spent, logs: read };
}

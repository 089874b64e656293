import { getAddress, numberToHex } from 'viem';
import { lowerAddress } from '../../../agents/ids.ts';
import { ReaderError, type SimulatedOutcome, type SimulationQuery } from '../reader.ts';
import type { BlockParam } from './place.ts';
import { requireBytes, requireQuantity } from './wire.ts';

/** The parameters of `eth_simulateV1` (execution-apis). */
export function simulationParams(query: SimulationQuery, block: BlockParam): readonly unknown[] {
  const { number, time, baseFeePerGas, feeRecipient, prevRandao, overrides, calls } = query;
  const blockOverrides = {
    number: numberToHex(number),
    time: numberToHex(time),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: numberToHex(baseFeePerGas) }),
    ...(feeRecipient === undefined ? {} : { feeRecipient: lowerAddress(feeRecipient) }),
    ...(prevRandao === undefined ? {} : { prevRandao }),
  };
  const stateOverrides = Object.fromEntries(
    Object.entries(overrides ?? {}).map(([who, { balance, code }]) => [
      lowerAddress(who),
      {
        ...(balance === undefined ? {} : { balance: numberToHex(balance) }),
        ...(code === undefined ? {} : { code }),
      },
    ]),
  );
  const sent = calls.map(({ from, to, data, value, gas, maxFeePerGas }) => ({
    ...{ from: lowerAddress(from), to: lowerAddress(to), data },
    ...{ value: numberToHex(value), gas: numberToHex(gas) },
    ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: numberToHex(maxFeePerGas) }),
  }));
  const simulated = { blockOverrides, stateOverrides, calls: sent };
  return [{ blockStateCalls: [simulated], traceTransfers: true, validation: false }, block];
}

/** @throws ReaderError down for an answer of another form */
export function simulationOutcomes(answer: unknown, asked: number): SimulatedOutcome[] {
  // A node fills the blocks between the pinned one and the one asked for; that is the last.
  const calls = (Array.isArray(answer) ? answer.at(-1) : null)?.calls as unknown;
  if (!Array.isArray(calls) || calls.length !== asked)
    throw new ReaderError('down', 'the answer is no simulation of these calls');
  return calls.map((call) => {
    const { status, returnData, gasUsed, logs = [] } = (call ?? {}) as Told;
    if (!Array.isArray(logs)) throw new ReaderError('down', 'the answer is no simulation of these calls');
    const ok = requireQuantity(status) === 1n;
    return {
      ok,
      output: requireBytes(returnData ?? '0x'),
      gasUsed: requireQuantity(gasUsed),
      logs: ok
        ? logs.map((log) => ({
            address: lowerAddress(getAddress(String(log.address))),
            topics: log.topics.map(requireBytes),
            data: requireBytes(log.data),
          }))
        : [],
    };
  });
}

interface Told {
  readonly status?: unknown;
  readonly returnData?: unknown;
  readonly gasUsed?: unknown;
  readonly logs?: readonly {
    readonly address: unknown;
    readonly topics: readonly unknown[];
    readonly data: unknown;
  }[];
}

import type { ChainReader } from './reader.ts';

/**
 * The same reader, where each question about the state, the logs or the transfers of a named block is asked once, however
 * its address is spelled. The head and whether a block still stands are asked each time.
 */
export function readOnce(reader: ChainReader): ChainReader & { forget(): void } {
  const asked = new Map<string, Promise<unknown>>();
  const once = <T>(question: readonly unknown[], ask: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    const known = (asked.get(key) as Promise<T> | undefined) ?? ask();
    asked.set(key, known);
    return known;
  };
  const { maxHeadAgeSeconds, provesState } = reader;
  return {
    client: reader.client,
    chainId: reader.chainId,
    endpoint: reader.endpoint,
    ...(maxHeadAgeSeconds === undefined ? {} : { maxHeadAgeSeconds }),
    ...(provesState === undefined ? {} : { provesState }),
    head: () => reader.head(),
    blockHash: (block) => reader.blockHash(block),
    timestamp: (block) => reader.timestamp(block),
    confirm: (pin) => reader.confirm(pin),
    code: (at, ...of) => once(['code', at.toLowerCase(), ...of], () => reader.code(at, ...of)),
    nonce: (at, ...of) => once(['nonce', at.toLowerCase(), ...of], () => reader.nonce(at, ...of)),
    balance: (at, ...of) => once(['balance', at.toLowerCase(), ...of], () => reader.balance(at, ...of)),
    storage: (at, ...of) => once(['storage', at.toLowerCase(), ...of], () => reader.storage(at, ...of)),
    read: (call) => {
      if (call.block === 'latest') return reader.read(call);
      const { address, functionName, args = [], data = null, from = null, most = null, block } = call;
      const question = ['read', address.toLowerCase(), functionName, args, data, from, most, block];
      return once(question, () => reader.read(call));
    },
    logs: (query) => once(['logs', query], () => reader.logs(query)),
    valueTransfers: (block, ...how) =>
      once(['transfers', block, ...how], () => reader.valueTransfers(block, ...how)),
    receipt: (tx) => reader.receipt(tx),
    simulate: (query) => once(['simulate', query], () => reader.simulate(query)),
    forget: () => asked.clear(),
  };
}

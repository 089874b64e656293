import type { ChainReader } from './reader.ts';

/**
 * The same reader, where each question about the state or the logs of a named block is asked once. The head and whether
 * a block still stands are asked each time.
 */
export function readOnce(reader: ChainReader): ChainReader & { forget(): void } {
  const asked = new Map<string, Promise<unknown>>();
  const once = <T>(question: readonly unknown[], ask: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    const known = (asked.get(key) as Promise<T> | undefined) ?? ask();
    asked.set(key, known);
    return known;
  };
  const { maxHeadAgeSeconds } = reader;
  return {
    client: reader.client,
    chainId: reader.chainId,
    endpoint: reader.endpoint,
    ...(maxHeadAgeSeconds === undefined ? {} : { maxHeadAgeSeconds }),
    head: () => reader.head(),
    blockHash: (block) => reader.blockHash(block),
    confirm: (pin) => reader.confirm(pin),
    code: (...of) => once(['code', ...of], () => reader.code(...of)),
    nonce: (...of) => once(['nonce', ...of], () => reader.nonce(...of)),
    balance: (...of) => once(['balance', ...of], () => reader.balance(...of)),
    storage: (...of) => once(['storage', ...of], () => reader.storage(...of)),
    read: (call) => {
      if (call.block === 'latest') return reader.read(call);
      const { address, functionName, args = [], data = null, block } = call;
      return once(['read', address, functionName, args, data, block], () => reader.read(call));
    },
    logs: (query) => once(['logs', query], () => reader.logs(query)),
    valueTransfers: (block) => reader.valueTransfers(block),
    receipt: (tx) => reader.receipt(tx),
    simulate: (query) => once(['simulate', query], () => reader.simulate(query)),
    forget: () => asked.clear(),
  };
}

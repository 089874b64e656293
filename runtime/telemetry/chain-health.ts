import type { ChainAccess } from '../services.ts';
import { readerHeads } from './reader-heads.ts';

/**
 * A chain as one part of the service's health: `degraded` while one of its nodes, a key's gas money or a role needs a
 * person, `down` while neither node can be used.
 */
export async function chainHealth(
  chain: Pick<ChainAccess, 'readers' | 'funds' | 'roles'>,
  now: () => Date,
): Promise<Readonly<Record<string, unknown>>> {
  const [heads, signers, roles] = await Promise.all([
    readerHeads(chain.readers, now),
    chain.funds(),
    chain.roles(),
  ]);
  const low = signers.filter((s) => s.low).map((s) => s.role);
  const resting = roles.filter((r) => !r.held).map((r) => r.role);
  const block = heads.find((h) => h.block !== null)?.block;
  const state = {
    ...(block == null ? {} : { block }),
    heads,
    signers,
    ...(roles.length === 0 ? {} : { roles }),
  };
  const details = [
    ...heads.flatMap(({ reader, fault }, i) =>
      fault === null ? [] : [`the ${i === 0 ? 'first' : 'second'} node (${reader}) ${fault}`],
    ),
    ...(low.length === 0 ? [] : [`low on gas: ${low.join(', ')}`]),
    ...(resting.length === 0 ? [] : [`not in their roles on chain: ${resting.join(', ')}`]),
  ];
  if (details.length === 0) return state;
  const status = heads.every((h) => h.fault !== null) ? 'down' : 'degraded';
  return { ...state, status, detail: details.join('; ') };
}

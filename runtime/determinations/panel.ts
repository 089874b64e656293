import { panelFor, type SeatPlan } from '../../agents/determinations/panel/panel.ts';
import type { Depth, SeatReading } from '../../agents/determinations/panel/types.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { caip2, type EvidenceDeps, faultOf, SEAT_TIMEOUT_MS, within } from './deps.ts';

/** The readers of one seat: one client's reader of each chain. */
export interface SeatReaders {
  readonly client: 'viem' | 'ethers';
  readonly of: (chainId: number) => ChainReader | null;
}

/** The name of what a seat read, and what it cannot tell. */
export interface SeatSource {
  readonly source: string;
  readonly limit: string;
}

/** One source for all seats. */
export const oneSource = (source: string) => (): SeatSource => ({
  source,
  limit: 'all seats rest on this one source',
});

interface PanelRun<Facts> {
  readonly depth: Depth | null;
  /** The chains that seats read; empty when the question is not about a chain. */
  readonly chains: readonly number[];
  /** What a seat rests on when it reads no EVM chain. Absent: nothing but the question. */
  readonly source?: (client: 'viem' | 'ethers') => SeatSource;
  /** Reads one seat's facts through that seat's readers only. */
  readonly gather: (readers: SeatReaders) => Promise<Facts>;
}

/**
 * Fills the seats of a depth at the same time, each through its own readers and with its own time-out. A seat that
 * fails or is late is silent and carries its fault; it does not delay the others. The adversary reads nothing itself.
 */
export async function runPanel<Facts>(
  deps: EvidenceDeps,
  run: PanelRun<Facts>,
): Promise<SeatReading<Facts>[]> {
  return await Promise.all(
    panelFor(run.depth, deps.reasoners?.length).seats.map((plan) => fillSeat(deps, run, plan)),
  );
}

async function fillSeat<Facts>(
  deps: EvidenceDeps,
  run: PanelRun<Facts>,
  plan: SeatPlan,
): Promise<SeatReading<Facts>> {
  const { seat, method, client } = plan;
  if (client === 'all') {
    const limit = 'adds no reading: argues from the worst of the others';
    return { seat, method, source: "every other seat's reading", limit, facts: null, fault: null };
  }
  const named = sourceOf(deps, run, client);
  const ms = deps.seatTimeoutMs ?? SEAT_TIMEOUT_MS;
  const of = (chainId: number): ChainReader | null => deps.readers.get(chainId)?.[client] ?? null;
  try {
    const facts = await within(run.gather({ client, of }), ms, seat);
    return { seat, method, ...named, facts, fault: null };
  } catch (error) {
    return { seat, method, ...named, facts: null, fault: faultOf(error) };
  }
}

function sourceOf(deps: EvidenceDeps, run: PanelRun<unknown>, client: 'viem' | 'ethers'): SeatSource {
  const pairs = run.chains.map((id) => deps.readers.get(id)).filter((r) => r !== undefined);
  if (pairs.length === 0) return (run.source ?? oneSource(`${client}, no chain`))(client);
  const endpoints = [...new Set(pairs.map((r) => r[client].endpoint))].join(' and ');
  const shared = pairs.some((r) => r.viem.endpoint === r.ethers.endpoint);
  const proven = pairs.flatMap((r) => (r[client].provesState ? [caip2(r[client].chainId)] : []));
  const ages = [...new Set(pairs.flatMap((r) => headLimit(r[client].maxHeadAgeSeconds)))];
  const limit = [
    ['the state at that block, as this endpoint tells it', ...ages].join(', '),
    ...(proven.length === 0
      ? []
      : [`balances, nonces, code and storage of ${proven.join(', ')} are proven against the block's header`]),
    ...(shared ? ['viem and ethers share one RPC URL, so the second reading is not independent of it'] : []),
  ].join('; ');
  return { source: `${client} over ${endpoints}`, limit };
}

function headLimit(seconds: number | null | undefined): string[] {
  if (seconds === undefined) return [];
  if (seconds === null) return ['however old: a chain that mines on demand has an old head when it is idle'];
  return [`at most ${seconds} seconds old`];
}

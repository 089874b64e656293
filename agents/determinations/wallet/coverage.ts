import type { ListSource, RegisterState } from '../panel/lists.ts';
import { usable } from '../panel/lists.ts';
import type { DeterminationEvidence } from '../panel/types.ts';
import type { Coverage } from './coverage-shape.ts';
import { untoldOrigins } from './origins.ts';
import { unseenControl } from './solana/wallet-solana-facts.ts';
import type { ChainReading, WalletCommon, WalletFacts } from './wallet-evidence.ts';

const DAY_MS = 86_400_000;

/** How far the evidence of a wallet reaches, whatever the verdict. */
export function coverageOf(
  evidence: Pick<DeterminationEvidence, 'at' | 'common' | 'seats' | 'blocks'>,
): Coverage {
  const common = evidence.common as WalletCommon;
  const readings = evidence.seats.flatMap((s) =>
    s.method === 'adversarial' ? [] : [s.facts as WalletFacts | null],
  );
  const registers = [common.sanctions, common.knownScam];
  const lists = registers.flatMap((register) =>
    register.lists.filter((l) => l.rows > 0).map((list) => coveredList(list, evidence.at)),
  );
  const chains = common.chains.map((chain) =>
    coveredChain(chain, common, readings, evidence.blocks[chain]?.number ?? slotIn(readings)),
  );
  const partial: Omit<Coverage, 'asFarAs'> = {
    lists,
    chains,
    hops: Math.max(
      common.exposure === undefined ? 0 : 1,
      ...(common.transfers?.histories ?? []).map((h) => h.hops),
    ),
    principals: Math.max(0, new Set(registers.flatMap((r) => r.lookedUp)).size - 1),
    history: { dealsDays: common.exposure?.days ?? 0, transfers: transfersIn(common, readings) },
    notLookedAt: [
      ...gaps(common, registers, chains, evidence.at),
      ...common.chains.flatMap((chain) => unreadOn(chain, common, readings)),
      ...unseenOn(readings),
      ...beyond(common),
    ],
  };
  return { ...partial, asFarAs: sentence(partial) };
}

/** Which transfers were looked at, chain by chain. */
function transfersIn(common: WalletCommon, readings: readonly (WalletFacts | null)[]): string | null {
  const told = (common.transfers?.histories ?? []).flatMap(({ chain, source, fromBlock, fault }) => {
    const tail = readings.flatMap((r) => r?.chains ?? []).find((c) => c.chain === chain)?.tail;
    if (fault !== null || tail == null) return [];
    return [`blocks ${fromBlock ?? tail.fromBlock} to ${tail.toBlock} of ${chain} by ${source}`];
  });
  return told.length === 0 ? null : `transfers in ${told.join(' and ')}`;
}

function coveredList(list: ListSource, at: string): Coverage['lists'][number] {
  const dated = list.undated !== true;
  return {
    name: list.name,
    asOf: dated ? list.asOf : null,
    ageDays: dated ? Math.max(0, Math.floor((Date.parse(at) - Date.parse(list.asOf)) / DAY_MS) || 0) : null,
    rows: list.rows,
    root: list.root ?? null,
    synthetic: list.synthetic === true,
  };
}

function coveredChain(
  chain: string,
  common: WalletCommon,
  readings: readonly (WalletFacts | null)[],
  block: string | null,
): Coverage['chains'][number] {
  const solana = common.addressType === 'solana';
  const found = readings.map((r) => r?.chains.find((c) => c.chain === chain) ?? null);
  const read = solana
    ? readings.length > 0 && readings.every((r) => r?.solana !== undefined && r.solana.fault === null)
    : found.length > 0 && found.every((c) => c !== null && c.code !== null && c.nonce !== null);
  return {
    chain,
    block,
    read,
    code: solana ? solanaCode(readings, read) : codeState(found, read),
    required: [...(common.policy?.find((p) => p.chain === chain)?.required ?? [])],
  };
}

function codeState(
  found: readonly (ChainReading | null)[],
  read: boolean,
): Coverage['chains'][number]['code'] {
  if (!read) return 'unread';
  if (found.every((c) => c?.code?.size === 0)) return 'none';
  return found.every((c) => c?.principals === undefined || c?.principals?.unknown === null)
    ? 'resolved'
    : 'unresolved';
}

function solanaCode(
  readings: readonly (WalletFacts | null)[],
  read: boolean,
): Coverage['chains'][number]['code'] {
  if (!read) return 'unread';
  return unseenOn(readings).length === 0 ? 'resolved' : 'unresolved';
}

/** Who decides over a Solana address, where no reading shows it. */
function unseenOn(readings: readonly (WalletFacts | null)[]): string[] {
  const unseen = readings.flatMap((r) =>
    r?.solana === undefined || r.solana.fault !== null ? [] : [unseenControl(r.solana)],
  );
  return [...new Set(unseen.filter((what) => what !== null))];
}

function slotIn(readings: readonly (WalletFacts | null)[]): string | null {
  return readings.find((r) => r?.solana?.slot != null)?.solana?.slot ?? null;
}

function gaps(
  common: WalletCommon,
  registers: readonly RegisterState[],
  chains: Coverage['chains'],
  at: string,
): string[] {
  const unread = chains.filter((c) => !c.read).map((c) => c.chain);
  const useless = registers.filter((r) => !usable(r, at)).map((r) => r.register);
  return [
    ...(unread.length > 0 ? [`what could not be read of ${unread.join(', ')}`] : []),
    ...(useless.length > 0 ? [`whether ${useless.join(' or ')} lists name it`] : []),
    ...(common.transfers?.histories ?? []).flatMap(({ chain, cutOff, fault }) =>
      cutOff === null && fault === null ? [] : [`transfers on ${chain}: ${fault ?? cutOff}`],
    ),
    ...(common.exposure === undefined ? ['with whom it dealt here'] : []),
    ...(common.policy ?? []).flatMap((p) => p.notConfigured.map((what) => `${what} on ${p.chain}`)),
  ];
}

/** What was left out on a chain that was read. */
function unreadOn(chain: string, common: WalletCommon, readings: readonly (WalletFacts | null)[]): string[] {
  const found = readings.flatMap((r) => r?.chains ?? []).filter((c) => c.chain === chain);
  const native = found.flatMap((c) => (c.tail?.unreadNative === undefined ? [] : [c.tail.unreadNative]))[0];
  const size = Math.max(0, ...found.map((c) => c.code?.size ?? 0));
  const history = common.transfers?.histories.find((h) => h.chain === chain);
  const undusted = history !== undefined && history.poisoned === undefined && history.fault === null;
  const alone = common.twins !== undefined && size > 23 && !common.twins.some((t) => t.chain === chain);
  return [
    ...(native === undefined
      ? []
      : [`native currency in blocks ${native.fromBlock} to ${native.toBlock} of ${chain}`]),
    ...new Set(found.flatMap((c) => (c.principals?.unread ?? []).map((what) => `${what} on ${chain}`))),
    ...untoldOrigins(common, chain, size),
    ...(alone ? [`which contracts have the same code on ${chain}`] : []),
    ...(undusted ? [`whether it sends dust to be taken for somebody else on ${chain}`] : []),
  ];
}

function beyond({ addressType }: WalletCommon): string[] {
  return [
    ...(addressType === 'solana' ? ['its transfers on Solana'] : []),
    addressType === 'evm' ? 'any chain but these' : 'any chain but Solana',
    'what no list, chain or deal here shows',
  ];
}

function sentence({
  lists,
  chains,
  hops,
  principals,
  history,
  notLookedAt: not,
}: Omit<Coverage, 'asFarAs'>): string {
  const named = lists.map((l) => {
    const age = l.ageDays === null ? 'of no date' : `${l.ageDays} ${l.ageDays === 1 ? 'day' : 'days'} old`;
    return `${l.name} (${l.synthetic ? 'SYNTHETIC, ' : ''}${l.rows} rows, ${age})`;
  });
  const read = chains
    .filter((c) => c.read)
    .map((c) => (c.block === null ? c.chain : `${c.chain} at ${c.block}`));
  const parts = [
    named.length === 0
      ? 'no list'
      : `the lists ${named.join(', ')}${principals > 0 ? `, for it and ${principals} behind it` : ''}`,
    read.length === 0 ? 'no chain' : `code, owners and activity on ${read.join(' and ')}`,
    history.transfers ?? 'no transfers on chain',
    history.dealsDays === 0
      ? 'no deals here'
      : `its deals here of ${history.dealsDays} days, ${hops} ${hops === 1 ? 'hop' : 'hops'} far`,
  ];
  return `${parts.join('; ')}. Not looked at: ${not.join('; ')}.`;
}

import type { AdversaryVersion } from '../../panel/judging.ts';
import { adverse, type Ground } from '../../panel/scorecard.ts';
import type { WalletCommon } from '../wallet-evidence.ts';
import type { FlowParty, TransferHistory } from './flows.ts';
import { dollarsOf, SHARE_AT, UNASKED_USD } from './taint.ts';

/**
 * From this sum on, in dollars, what a listed address itself paid counts, however little of the whole it is: a share is
 * made small by passing one's own money round.
 */
const MUCH_USD = 10_000;
/** So many accounts that live on a listed address's money, and pay the same one, are that address's hands. */
const HANDS = 3;

/**
 * The adversary's grounds on sums and on who brings them, where the rules and the statistics look at shares. An exchange
 * or a bridge is paid by everybody, and has none.
 */
export function moneyFacts(common: WalletCommon, version: AdversaryVersion): Ground[] {
  const { transfers } = common;
  if (transfers === undefined) return [];
  const own = common.address.toLowerCase();
  const labels = new Map(transfers.labels.map((l) => [l.key, l.label]));
  if (/^(?:exchange|bridge)$/.test(labels.get(own) ?? '')) return [];
  const lists = new Map(transfers.listed.map((l) => [l.key, l.list]));
  const open = (who: string): boolean =>
    !lists.has(who) && !labels.has(who) && common.contracts?.includes(who) !== true;
  return [
    adverse(
      'a listed address paid it much, if little of all that came in',
      transfers.histories.flatMap((history) => {
        const { payers, worth } = incomeOf(history, own);
        return payers
          .filter((p) => lists.has(p.address) && worth(p) >= MUCH_USD)
          .map((p) => `${toldOf(p, worth(p))} on ${lists.get(p.address)} (${placeOf(history)})`);
      }),
    ),
    adverse(
      'several accounts that live on one listed address’s money pay it',
      transfers.histories.flatMap((history) => handsIn(history, own, { lists, open, version })),
    ),
  ];
}

function incomeOf(history: TransferHistory, of: string) {
  const flows = history.flows.find((f) => f.of === of && f.way === 'in');
  const worth = (moved: Pick<FlowParty, 'usd' | 'native'>): number =>
    dollarsOf(moved, BigInt(history.nativeDust));
  return { payers: flows?.parties ?? [], worth, total: flows === undefined ? 0 : worth(flows) };
}

/**
 * One fact for each listed address that paid most of the income of three payers or more. Together they must have paid what
 * one payer must have: anybody can send three accounts a few dollars, and somebody from each of them.
 */
function handsIn(
  history: TransferHistory,
  own: string,
  {
    lists,
    open,
    version,
  }: {
    readonly lists: ReadonlyMap<string, string>;
    readonly open: (who: string) => boolean;
    readonly version: AdversaryVersion;
  },
): string[] {
  const { payers, worth, total: came } = incomeOf(history, own);
  const hands = new Map<string, FlowParty[]>();
  for (const payer of payers) {
    if (!open(payer.address) || worth(payer) < UNASKED_USD) continue;
    const { payers: sources, total } = incomeOf(history, payer.address);
    const [source] = sources.filter((p) => lists.has(p.address) && 2 * worth(p) >= total);
    if (source !== undefined) hands.set(source.address, [...(hands.get(source.address) ?? []), payer]);
  }
  const isMuch = (members: readonly FlowParty[]): boolean => {
    const paid = members.reduce((sum, member) => sum + worth(member), 0);
    return version < 3 || paid >= Math.min(MUCH_USD, came * SHARE_AT.in[0]!);
  };
  return [...hands]
    .filter(([, members]) => members.length >= HANDS && isMuch(members))
    .map(([source, members]) => {
      const each = members.map((m) => toldOf(m, worth(m))).sort();
      return `${source} on ${lists.get(source)} paid at least half of what came to each of them: ${each.join(', ')} (${placeOf(history)})`;
    });
}

function toldOf({ address, transfers, last }: FlowParty, usd: number): string {
  const times = transfers === 1 ? 'one transfer' : `${transfers} transfers`;
  return `${address} paid it ${usd.toFixed(2)} dollars in ${times} to ${last}`;
}

function placeOf({ chain, source, fromBlock, toBlock }: TransferHistory): string {
  return `${source} on ${chain}, blocks ${fromBlock ?? '?'} to ${toBlock ?? '?'}`;
}

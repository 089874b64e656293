import { check } from '../../panel/judging.ts';
import type { Check } from '../../panel/types.ts';
import { couldBeTakenFor, takenFor } from '../look-alike/look-alike.ts';
import type { WalletView } from '../wallet-findings.ts';
import type { TransferHistory, Transfers } from './flows.ts';
import { sourceOf } from './transfers.ts';

const NAMED = 3;

/**
 * Checks whether the address sends dust in order to be taken for somebody with whom its receivers deal. There is no check
 * where no source tells of that: it then stands among what was not looked at.
 */
export function poisoningCheck(view: WalletView, { histories }: Transfers): Check[] {
  const looked = histories.filter((h) => h.poisoned !== undefined || h.fault !== null);
  if (looked.length === 0) return [];
  const sources = looked.map((h) => sourceOf(h, view.at));
  const id = 'address-poisoning';
  const found = looked.flatMap(({ poisoned = [] }) =>
    poisoned.flatMap(({ of, addresses, unproven }) => {
      const like = takenFor(view.common.address, { days: 0, addresses });
      return like.length === 0 ? [] : [{ says: `${of}, who deals with ${like[0]}`, unproven }];
    }),
  );
  const named = (of: typeof found): string =>
    `only dust moved between it and ${[...new Set(of.map((f) => f.says))].slice(0, NAMED).join('; ')}, whose address begins and ends alike`;
  const proven = found.filter((f) => f.unproven !== true);
  if (proven.length > 0) return [check(id, 'FLAG', named(proven), sources)];
  const gaps = [
    ...looked.flatMap((h) => (h.fault === null ? [] : [`${h.chain}: ${h.fault}`])),
    ...(found.length === 0 ? [] : [`${named(found)}; whether it sent that itself is not known`]),
    ...looked.flatMap(({ chain, moreDusted = 0 }) =>
      moreDusted > 0 ? [`${moreDusted} more got dust of it on ${chain} than were looked at`] : [],
    ),
  ];
  if (gaps.length > 0) return [check(id, 'INCONCLUSIVE', gaps.join('; '), sources)];
  return [check(id, 'PASS', 'it sends no dust to be taken for somebody else', sources)];
}

/** The same in numbers: how many deal with somebody like it, and whether there may be more. */
export function dustScore(
  own: string,
  { poisoned = [], moreDusted = 0 }: TransferHistory,
): { readonly alike: number; readonly open: boolean } {
  const alike = poisoned.filter((p) => couldBeTakenFor(own, { days: 0, addresses: p.addresses }) > 0);
  const unproven = alike.filter((p) => p.unproven === true).length;
  return { alike: alike.length - unproven, open: unproven + moreDusted > 0 };
}

import { NOBODY } from '../../ids.ts';
import type { AdversaryVersion } from '../panel/judging.ts';
import type { Ground } from '../panel/scorecard.ts';
import type { TransferHistory } from './money/flows.ts';
import { dollarsOf, UNASKED_USD } from './money/taint.ts';
import type { WalletCommon } from './wallet-evidence.ts';
import type { Finding, WalletView } from './wallet-findings.ts';

/** Who put an address into the world. Neither decides over it, so a hit on one is never a hard flag. */
export interface Origin {
  readonly who: string;
  readonly role: 'its deployer' | 'its first funder';
  /** What told it, and the block. */
  readonly source: string;
  /** A deployer wrote the code; a funder may be anybody, and stands further away. */
  readonly distance: number;
}

const DEPLOYER_AT = 2;
const FUNDER_AT = 3;

/**
 * The deployer of the contract and the first funder of the address on one chain. A funder that is labelled (an exchange,
 * a bridge) pays for its customers, and so do this service's contracts: nobody stands there,
 * nor before an address that is one of them.
 */
export function originsOn(common: WalletCommon, chain: string): Origin[] {
  const { transfers, contracts = [] } = common;
  const history = transfers?.histories.find((h) => h.chain === chain);
  if (transfers === undefined || history === undefined) return [];
  const { deployer, first, source } = history;
  const at = (block: string | null): string => (block === null ? source : `${source}, block ${block}`);
  const through = [NOBODY, ...contracts];
  const passes = (who: string): boolean =>
    through.includes(who) || transfers.labels.some((l) => l.key === who && l.label !== 'mixer');
  const alone = deployer?.shown === false ? ' alone' : '';
  return [
    ...(deployer === undefined
      ? []
      : [
          {
            ...{ who: deployer.address, role: 'its deployer' as const, distance: DEPLOYER_AT },
            source: `${at(deployer.block)}${alone}`,
          },
        ]),
    ...(first === null || passes(first.address) || passes(common.address.toLowerCase())
      ? []
      : [
          {
            ...{ who: first.address, role: 'its first funder' as const, distance: FUNDER_AT },
            source: at(first.block),
          },
        ]),
  ];
}

/** A finding for each of them that a list names. A few dollars may come from anybody, and are told alone. */
export function originFindings({ common }: WalletView, chain: string): Finding[] {
  return originsOn(common, chain).flatMap(({ who, role, source, distance }): Finding[] => {
    const hit = common.transfers!.listed.find((l) => l.key === who);
    if (hit === undefined) return [];
    const says = `${role} ${who} is on ${hit.list} (${source} on ${chain}, at distance ${distance})`;
    const paid = role === 'its deployer' ? UNASKED_USD : paidBy(common, chain, who);
    return [
      paid >= UNASKED_USD
        ? { outcome: 'FLAG', hard: false, says }
        : { outcome: 'PASS', says: `${says}, and gave it too little to count` },
    ];
  });
}

/** In dollars, about. */
function paidBy(common: WalletCommon, chain: string, who: string): number {
  const { flows, nativeDust } = common.transfers!.histories.find((h) => h.chain === chain)!;
  const own = common.address.toLowerCase();
  const into = flows.find((f) => f.of === own && f.way === 'in');
  const party = into?.parties.find((p) => p.address === who);
  return party === undefined ? 0 : dollarsOf(party, BigInt(nativeDust));
}

/** The same in numbers: those on a list that count, and those that are only told. */
export function originScore(common: WalletCommon): { readonly listed: number; readonly told: number } {
  const names = new Set((common.transfers?.listed ?? []).map((l) => l.key));
  const labelled = new Set(
    (common.transfers?.labels ?? []).filter((l) => l.label !== 'mixer').map((l) => l.key),
  );
  const histories = common.transfers?.histories ?? [];
  const deployers = histories.filter((h) => h.deployer !== undefined && names.has(h.deployer.address));
  const own = common.address.toLowerCase();
  const funders = histories.filter(
    ({ first }) =>
      first !== null && names.has(first.address) && !labelled.has(first.address) && !labelled.has(own),
  );
  const large = funders.filter((h) => gaveEnough(h, own));
  return { listed: deployers.length + large.length, told: funders.length - large.length };
}

function gaveEnough({ flows, first, nativeDust }: TransferHistory, own: string): boolean {
  const given = flows
    .filter((f) => f.of === own && f.way === 'in')
    .flatMap((f) => f.parties.filter((p) => p.address === first?.address));
  return given.some((p) => {
    const usd = Number(p.usd) / 1e6;
    const native = nativeDust === '0' ? 0 : Number(p.native) / Number(nativeDust);
    return usd + native >= UNASKED_USD;
  });
}

/** The adversary's ground: any of them on a list; from version 2 on, of a funder, if it paid enough to count. */
export function originGrounds(common: WalletCommon, version: AdversaryVersion): Ground[] {
  const { listed, told } = originScore(common);
  const says = 'a list names who deployed it, or who paid it first';
  const found = listed + (version === 1 ? told : 0) > 0;
  const names = new Set((common.transfers?.listed ?? []).map((l) => l.key));
  const facts = common.chains.flatMap((chain) =>
    originsOn(common, chain)
      .filter((o) => names.has(o.who))
      .map((o) => `${o.who} is ${o.role} (${o.source} on ${chain})`),
  );
  return [{ holds: found, says, facts: found ? facts : [] }];
}

/** Whose origin no source told, in words. */
export function untoldOrigins(common: WalletCommon, chain: string, size: number): string[] {
  const history = common.transfers?.histories.find((h) => h.chain === chain);
  if (history === undefined) return [];
  const own = size > 0 && history.deployer === undefined ? [`who deployed it on ${chain}`] : [];
  const isPartial = history.first === null && (history.cutOff !== null || history.fault !== null);
  return [...own, ...(isPartial ? [`who paid it first on ${chain}`] : [])];
}

import { judgeOrigin } from '../origin/origin-result.ts';
import type { Opinion, View } from '../panel/judging.ts';
import { usable } from '../panel/lists.ts';
import { scorecard } from '../panel/scorecard.ts';
import { transactionScore } from '../transaction/transaction-scores.ts';
import { behaviourScore, behaviours } from './behaviour/behaviour.ts';
import { unmetRequirements } from './chain-policy.ts';
import { codeScore } from './code/code-scores.ts';
import { twinScore } from './code/twins.ts';
import { grantScore } from './grants.ts';
import { couldBeTakenFor } from './look-alike/look-alike.ts';
import { misfit } from './look-alike/misspelling.ts';
import { deadEnds, looksForDeadEnds } from './money/dead-ends.ts';
import { exposureScore } from './money/exposure.ts';
import { transferScore } from './money/transfer-scores.ts';
import { originScore } from './origins.ts';
import { principalScore } from './principals.ts';
import { solanaScore } from './solana/wallet-solana-scores.ts';
import type { WalletCommon, WalletFacts } from './wallet-evidence.ts';
import { mentions, whole } from './whole-reading.ts';

const EF0100 = /^0xef0100([0-9a-f]{40})$/i;

/** What a CLEAN loses where a listed address was the first to pay, and paid too little to count. */
const TOLD_DOUBT = 15;

/** Judges the wallet by counts and shares over the same evidence, with its own code. */
export function walletStatistics({ common, facts, at }: View<WalletCommon, WalletFacts>): Opinion {
  const hits = [...common.sanctions.hits, ...common.knownScam.hits];
  const own = hits.filter((h) => h.key.toLowerCase() === common.address.toLowerCase()).length;
  const embedded = hits.filter((h) => facts.chains.some((c) => mentions(c.code, h.key))).length;
  const read = facts.chains.filter((c) => whole(c, common));
  const frozen = facts.chains.filter((c) => c.freeze?.state === 'frozen').length;
  const solana = solanaScore(common, facts, at);
  const exposure = common.exposure === undefined ? undefined : exposureScore(common.exposure, at);
  const principals = principalScore(common, facts);
  const origins = originScore(common);
  const grants = grantScore(common, facts.chains);
  const transfers = transferScore(common, facts, at);
  const sent = transactionScore(common, facts);
  const codes = codeScore(common, facts);
  const from = common.origin === undefined ? null : judgeOrigin(common.origin, at);
  const dead = looksForDeadEnds(common) ? deadEnds(common, facts).length : 0;
  const unmet = unmetRequirements(common, facts, at);
  const delegated = read.filter((c) => EF0100.test(c.code?.head ?? '')).length;
  const wanted = common.solana === undefined ? common.chains.length : 0;
  const lists = [common.sanctions, common.knownScam].filter((r) => usable(r, at)).length;
  const unlooked = read.filter(
    (c) => delegateOf(c.code) !== null && !lookedUp(common, delegateOf(c.code)!),
  ).length;
  const missing = [
    ...(lists < 2 ? [`${2 - lists} of 2 registers are empty or too old`] : []),
    ...(read.length < wanted
      ? [[`${wanted - read.length} of ${wanted} chains could not be read`, ...faultsIn(facts)].join('; ')]
      : []),
    ...(unlooked > 0 ? ['a delegate was not looked up'] : []),
    ...(principals.unknown > 0
      ? [`who stands behind it is not known on ${principals.unknown} of ${wanted} chains`]
      : []),
    ...(principals.unlooked > 0 ? ['somebody who stands behind it was not looked up'] : []),
    ...(unmet.length > 0 ? [`required and could not run: ${unmet.join(', ')}`] : []),
    ...(exposure?.missing ?? []),
    ...(grants.unknown > 0 ? [`its approvals are not all known on ${grants.unknown} chains`] : []),
    ...(transfers?.missing ?? []),
    ...(solana?.missing ?? []),
    ...(sent?.missing ?? []),
    ...codes.missing,
    ...(from?.verdict === 'INCONCLUSIVE' ? ['nothing is known of where it comes from'] : []),
  ];
  const behaviour = behaviours(common).length === 0 ? null : behaviourScore(behaviours(common));
  const opinion = scorecard(
    [
      {
        name: 'own-list-hits',
        value: own,
        weight: 100,
        meaning: `${own} list hits on the address`,
        hard: true,
      },
      {
        name: 'code-list-hits',
        value: embedded,
        weight: 60,
        meaning: `${embedded} listed addresses inside the account's code`,
        hard: true,
      },
      {
        name: 'listed-principals',
        value: principals.hits,
        weight: 60,
        meaning: `${principals.hits} listed addresses stand behind it`,
        hard: true,
      },
      {
        name: 'far-listed-principals',
        value: principals.far,
        weight: 60,
        meaning: `${principals.far} listed addresses decide over it from afar, or not alone`,
      },
      {
        name: 'listed-origins',
        value: origins.listed,
        weight: 60,
        meaning: `${origins.listed} listed addresses deployed it, or paid it first`,
      },
      {
        name: 'twins-of-listed',
        value: twinScore(common, facts),
        weight: 60,
        meaning: `on ${twinScore(common, facts)} chains most contracts of its code are listed`,
      },
      {
        name: 'dead-ends',
        value: dead,
        weight: 60,
        meaning: `${dead} addresses behind which nobody stands`,
        hard: true,
      },
      {
        name: 'grants-to-listed',
        value: grants.hits,
        weight: 60,
        meaning: `${grants.hits} listed spenders may move its tokens`,
      },
      {
        name: 'issuer-freezes',
        value: frozen,
        weight: 60,
        meaning: `frozen by the issuer of ${frozen} tokens`,
        hard: true,
      },
      {
        name: 'checksum-misfit',
        value: misfit(common) > 0 ? 1 : 0,
        weight: 60,
        meaning: `${Math.round(misfit(common) * 100)} percent of the letters have the wrong case`,
      },
      {
        name: 'hard-flags-before',
        value: common.history.hardFlags.length,
        weight: 60,
        meaning: `${common.history.hardFlags.length} hard flags in ${common.history.days} days`,
      },
      {
        name: 'deals-stopped',
        value: common.history.stoppedDeals.length,
        weight: 50,
        meaning: `${common.history.stoppedDeals.length} deals stopped over it in ${common.history.days} days`,
      },
      {
        name: 'sweeping-delegates',
        value: read.filter((c) => (c.code?.size ?? 0) === 23 && (c.code?.shapes ?? []).length > 0).length,
        weight: 60,
        meaning: 'its delegate sends away what comes, or is not there',
      },
      {
        name: 'delegations',
        value: wanted === 0 ? 0 : delegated / wanted,
        weight: 10,
        meaning: `delegated by EIP-7702 on ${delegated} of ${wanted} chains`,
      },
      ...(common.contacts === undefined
        ? []
        : [
            {
              name: 'look-alikes',
              value: couldBeTakenFor(common.address, common.contacts),
              weight: 60,
              meaning: `like ${couldBeTakenFor(common.address, common.contacts)} addresses that the asker dealt with`,
            },
          ]),
      ...(behaviour === null
        ? []
        : [
            {
              name: 'behaviour',
              value: behaviour.flags > 0 ? 1 : 0,
              weight: 50,
              meaning: `behaves on ${behaviour.flags} chains as reported frauds did`,
            },
          ]),
      ...(exposure?.features ?? []),
      ...(transfers?.features ?? []),
      ...(solana?.features ?? []),
      ...(sent?.features ?? []),
      ...codes.features,
      ...(from === null
        ? []
        : [
            {
              name: 'origin',
              value: from.verdict === 'FLAGGED' ? 1 : 0,
              weight: 60,
              meaning: `${from.reasons.length} findings on where it comes from`,
            },
          ]),
    ],
    Math.min(
      lists / 2,
      solana?.coverage ?? share(read.length, wanted),
      unlooked + principals.unknown + principals.unlooked + unmet.length + grants.unknown > 0 ? 0 : 1,
      exposure?.coverage ?? 1,
      transfers?.coverage ?? 1,
      (sent?.missing.length ?? 0) + codes.missing.length > 0 || from?.verdict === 'INCONCLUSIVE' ? 0 : 1,
    ),
    missing,
  );
  const doubt = Math.max(behaviour?.doubt ?? 0, origins.told > 0 ? TOLD_DOUBT : 0);
  return doubt === 0 ? opinion : { ...opinion, doubt };
}

function share(read: number, wanted: number): number {
  return wanted === 0 ? 0 : read / wanted;
}

function faultsIn({ chains }: WalletFacts): string[] {
  return chains.flatMap(({ chain, fault }) => (fault === null ? [] : [`${chain}: ${fault}`]));
}

function delegateOf(code: { readonly head: string } | null): string | null {
  const found = EF0100.exec(code?.head ?? '');
  return found === null ? null : `0x${found[1]!.toLowerCase()}`;
}

function lookedUp(common: WalletCommon, key: string): boolean {
  return [common.sanctions, common.knownScam].every((r) => r.lookedUp.includes(key));
}

import { judgeOrigin } from '../origin/origin-result.ts';
import type { AllReadings, Opinion } from '../panel/judging.ts';
import { usable } from '../panel/lists.ts';
import { adverse, argue } from '../panel/scorecard.ts';
import { transactionGrounds } from '../transaction/transaction-scores.ts';
import { unmetRequirements } from './chain-policy.ts';
import { codeGrounds } from './code/code-scores.ts';
import { twinFacts, twinGrounds } from './code/twins.ts';
import { imitationGrounds } from './look-alike/imitations.ts';
import { couldBeTakenFor } from './look-alike/look-alike.ts';
import { misfit } from './look-alike/misspelling.ts';
import { deadEnds, looksForDeadEnds } from './money/dead-ends.ts';
import { exposureGrounds } from './money/exposure.ts';
import { moneyFacts } from './money/money-facts.ts';
import { transferGrounds } from './money/transfer-scores.ts';
import { originGrounds } from './origins.ts';
import { isHard } from './principal-edges.ts';
import { principalGrounds } from './principals.ts';
import { solanaGrounds } from './solana/wallet-solana-scores.ts';
import type { WalletCommon, WalletFacts } from './wallet-evidence.ts';
import { mentions, whole } from './whole-reading.ts';

const EF0100 = /^0xef0100([0-9a-f]{40})$/i;

/**
 * Argues for FLAGGED from the worst of all readings. From version 2 on each ground is a fact that denies CLEAN, so that
 * what is merely unusual is none; and it looks for what neither rules nor statistics judge: sums, and imitations.
 */
export function walletAdversary({
  common,
  at,
  readings,
  blocks,
  version,
}: AllReadings<WalletCommon, WalletFacts>): Opinion {
  const chains = readings.flatMap((r) => r.chains);
  const blockOf = (chain: string): string =>
    blocks[chain] === undefined ? '' : ` at block ${blocks[chain]!.number}`;
  const hits = [...common.sanctions.hits, ...common.knownScam.hits];
  return argue([
    {
      holds: hits.length > 0,
      hard: hits.some((h) => !isSoft(h.key, common, readings)),
      says: 'a list names it, code that runs for it, or somebody who stands behind it',
      facts: [...new Set(hits.map((h) => `${h.key} is on ${h.list}`))],
    },
    {
      holds: looksForDeadEnds(common) && readings.some((facts) => deadEnds(common, facts).length > 0),
      hard: true,
      says: 'nobody can stand behind it, or anybody can',
      facts: [
        ...new Set(
          readings.flatMap((facts) =>
            deadEnds(common, facts).map((d) => `${d.role} ${d.address} is ${d.why.says}`),
          ),
        ),
      ],
    },
    { holds: misfit(common) > 0, says: 'the address is misspelled' },
    {
      holds: common.contacts !== undefined && couldBeTakenFor(common.address, common.contacts) > 0,
      says: 'it could be taken for somebody whom the asker knows',
    },
    {
      holds: common.history.hardFlags.length + common.history.stoppedDeals.length > 0,
      says: 'the platform flagged it or stopped a deal over it before',
    },
    {
      holds: ![common.sanctions, common.knownScam].every((r) => usable(r, at)),
      unread: true,
      says: 'a register that might name it is empty or too old',
    },
    {
      holds:
        common.solana === undefined &&
        common.chains.some(
          (chain) =>
            !chains.some((c) => c.chain === chain && c.code !== null && c.nonce !== null && whole(c, common)),
        ),
      unread: true,
      says: 'a chain on which it may act was read by nobody',
    },
    {
      holds: chains.some((c) => c.freeze?.state === 'frozen'),
      hard: true,
      says: 'the issuer of a token has frozen it',
      facts: chains
        .filter((c) => c.freeze?.state === 'frozen')
        .map((c) => `isBlacklisted of ${c.freeze?.token} on ${c.chain}${blockOf(c.chain)} says so`),
    },
    {
      holds: version === 1 && chains.some((c) => EF0100.test(c.code?.head ?? '')),
      says: "another's code may move its funds (EIP-7702)",
    },
    adverse(
      'what runs in its name sends away what comes, or is not there',
      version === 1
        ? []
        : chains
            .filter((c) => EF0100.test(c.code?.head ?? ''))
            .flatMap((c) =>
              (c.code?.shapes ?? []).map((shape) => `${shape} (${c.chain}${blockOf(c.chain)})`),
            ),
    ),
    {
      // Newness speaks against nobody; in evidence of earlier releases this keeps the votes that were recorded.
      holds:
        version === 1 &&
        common.policy === undefined &&
        common.solana === undefined &&
        chains.length > 0 &&
        chains.every((c) => (c.nonce ?? 0) === 0 && (c.code?.size ?? 0) === 0),
      says: 'it has never acted on any chain read: nothing is known of it',
    },
    {
      holds: readings.every((facts) => unmetRequirements(common, facts, at).length > 0),
      unread: true,
      says: 'what its chains require could not be looked at',
    },
    ...principalGrounds(common, readings),
    ...originGrounds(common, version),
    ...(version === 1 ? twinGrounds(common) : twinFacts(common, readings)),
    ...codeGrounds(common, readings, version),
    ...exposureGrounds(common.exposure, at),
    ...transferGrounds(common, readings, at, version),
    ...(version === 1 ? [] : [...moneyFacts(common, version), ...imitationGrounds(common)]),
    ...solanaGrounds(common, readings, at, version),
    ...transactionGrounds(common, readings),
    {
      holds: common.origin !== undefined && judgeOrigin(common.origin, at).verdict === 'FLAGGED',
      says: 'the site that asks for it is listed, or pretends to be another',
    },
  ]);
}

/** Whether a listed address only holds an approval, or decides from afar or not alone: that is no hard flag. */
function isSoft(key: string, common: WalletCommon, readings: readonly WalletFacts[]): boolean {
  if (key === common.address.toLowerCase() || (common.sessionKeys ?? []).includes(key)) return false;
  const chains = readings.flatMap((r) => r.chains);
  const edges = chains.flatMap((c) => c.principals?.edges ?? []).filter((e) => e.who === key);
  const spends = chains.some((c) => c.grants?.live.some((g) => g.spender === key));
  const owns = chains.some((c) => c.principals?.owners.includes(key));
  const runs = chains.some((c) => c.code !== null && mentions(c.code, key));
  return !owns && !runs && !edges.some(isHard) && (spends || edges.length > 0);
}

import { keccak } from '../../canonical.ts';
import type { AllReadings, Opinion, View } from '../panel/judging.ts';
import { usable } from '../panel/lists.ts';
import { argue, scorecard } from '../panel/scorecard.ts';
import { behaviourScore, behaviours } from './behaviour.ts';
import { unmetRequirements } from './chain-policy.ts';
import { deadEnds, looksForDeadEnds } from './dead-ends.ts';
import { exposureGrounds, exposureScore } from './exposure.ts';
import { grantScore } from './grants.ts';
import { couldBeTakenFor } from './look-alike.ts';
import { principalGrounds, principalScore } from './principals.ts';
import { transferGrounds, transferScore } from './transfer-scores.ts';
import type { ChainReading, WalletCommon, WalletFacts } from './wallet-evidence.ts';
import { solanaGrounds, solanaScore } from './wallet-solana-scores.ts';

const EF0100 = /^0xef0100([0-9a-f]{40})$/i;
const TWENTY_BYTES = /^[0-9a-f]{40}$/;

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
  const grants = grantScore(common, facts.chains);
  const transfers = transferScore(common, facts, at);
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
    ...(read.length < wanted ? [`${wanted - read.length} of ${wanted} chains could not be read`] : []),
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
    ],
    Math.min(
      lists / 2,
      solana?.coverage ?? share(read.length, wanted),
      unlooked + principals.unknown + principals.unlooked + unmet.length + grants.unknown > 0 ? 0 : 1,
      exposure?.coverage ?? 1,
      transfers?.coverage ?? 1,
    ),
    missing,
  );
  return behaviour === null || behaviour.doubt === 0 ? opinion : { ...opinion, doubt: behaviour.doubt };
}

function share(read: number, wanted: number): number {
  return wanted === 0 ? 0 : read / wanted;
}

/** Whether everything that was asked of this chain was read. */
function whole(c: ChainReading, common: WalletCommon): boolean {
  const asked = (common.tokens ?? []).filter((t) => t.chain === c.chain);
  const freeze = asked.every((t) => c.freeze?.token === t.token);
  return c.nonce !== null && c.balance !== null && c.code !== null && freeze;
}

/** Argues for FLAGGED from the worst of all readings. */
export function walletAdversary({ common, at, readings }: AllReadings<WalletCommon, WalletFacts>): Opinion {
  const chains = readings.flatMap((r) => r.chains);
  const hits = [...common.sanctions.hits, ...common.knownScam.hits];
  return argue([
    {
      holds: hits.length > 0,
      hard: true,
      says: `a list names it, code that runs for it, or somebody who stands behind it: ${hits.map((h) => h.list).join(', ')}`,
    },
    {
      holds: looksForDeadEnds(common) && readings.some((facts) => deadEnds(common, facts).length > 0),
      hard: true,
      says: 'nobody can stand behind it, or anybody can',
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
    },
    {
      holds: chains.some((c) => EF0100.test(c.code?.head ?? '')),
      says: "another's code may move its funds (EIP-7702)",
    },
    {
      // Newness speaks against nobody; in evidence of earlier releases this keeps the votes that were recorded.
      holds:
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
    ...exposureGrounds(common.exposure, at),
    ...transferGrounds(common, readings, at),
    ...solanaGrounds(common, readings, at),
  ]);
}

function delegateOf(code: { readonly head: string } | null): string | null {
  const found = EF0100.exec(code?.head ?? '');
  return found === null ? null : `0x${found[1]!.toLowerCase()}`;
}

function lookedUp(common: WalletCommon, key: string): boolean {
  return [common.sanctions, common.knownScam].every((r) => r.lookedUp.includes(key));
}

/** Whether a listed address occurs anywhere in the head of the code, or in a slot that says which code runs. */
function mentions(code: WalletFacts['chains'][number]['code'], key: string): boolean {
  const bare = key.toLowerCase().replace(/^0x/, '');
  if (code === null || !TWENTY_BYTES.test(bare)) return false;
  const slots = [code.implementation, code.beacon, code.admin, ...(code.constants ?? [])];
  return code.head.toLowerCase().includes(bare) || slots.some((s) => s?.toLowerCase() === `0x${bare}`);
}

/** The share of letters whose case does not follow EIP-55; 0 when all letters have one case. */
function misfit(common: WalletCommon): number {
  if (common.addressType !== 'evm') return 0;
  const letters = [...common.address.slice(2)].map((c, i) => ({ c, i })).filter(({ c }) => /[a-f]/i.test(c));
  const upper = letters.filter(({ c }) => c === c.toUpperCase()).length;
  if (upper === 0 || upper === letters.length) return 0;
  const bits = BigInt(keccak(common.address.slice(2).toLowerCase()));
  const wrong = letters.filter(({ c, i }) => {
    const wantsUpper = ((bits >> BigInt(255 - 4 * i)) & 1n) === 1n;
    return wantsUpper !== (c === c.toUpperCase());
  });
  return wrong.length / letters.length;
}

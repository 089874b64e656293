import { originChecks } from '../origin/origin.ts';
import { chainSource, check, type Judging } from '../panel/judging.ts';
import { listCheck } from '../panel/lists.ts';
import type { Check, Source } from '../panel/types.ts';
import { transactionChecks, transactionParties } from '../transaction/transaction-checks.ts';
import type { AskedTransaction } from '../transaction/transaction-evidence.ts';
import { simulationsIn } from '../transaction/transaction-result.ts';
import { contractCode, delegation, issuerFreeze, principals, standingGrants } from './account-checks.ts';
import { checksumAddress, tryAddress } from './address.ts';
import { behaviourCheck, behaviours } from './behaviour/behaviour.ts';
import { chainPolicyCheck } from './chain-policy.ts';
import { codeParties, namedInCode } from './code/account-code.ts';
import { spendersIn } from './grants.ts';
import { type Contacts, takenFor } from './look-alike/look-alike.ts';
import { deadEndCheck, looksForDeadEnds } from './money/dead-ends.ts';
import { exposureCheck } from './money/exposure.ts';
import { poisoningCheck } from './money/poisoning.ts';
import { transfersCheck } from './money/transfers.ts';
import { principalsIn } from './principals.ts';
import { solanaChecks } from './solana/wallet-solana.ts';
import { solanaParties } from './solana/wallet-solana-facts.ts';
import { walletAdversary } from './wallet-adversary.ts';
import type { WalletCommon, WalletFacts } from './wallet-evidence.ts';
import { itself, type WalletView } from './wallet-findings.ts';
import { walletStatistics } from './wallet-scores.ts';

export const wallet: Judging<WalletCommon, WalletFacts> = {
  rules: walletRules,
  statistics: walletStatistics,
  adversary: walletAdversary,
};

function walletRules(view: WalletView): Check[] {
  const { common, at } = view;
  const key = common.addressType === 'evm' ? common.address.toLowerCase() : common.address;
  const evm = common.addressType === 'evm';
  return [
    addressForm(view),
    ...(evm ? [addressChecksum(view)] : []),
    ...(looksForDeadEnds(common) ? [deadEndCheck(view)] : []),
    listCheck('list-sanctions', common.sanctions, key, at),
    listCheck('list-known-scam', common.knownScam, key, at),
    ...(evm ? [contractCode(view), delegation(view)] : []),
    ...(common.sessionKeys === undefined ? [] : [principals(view)]),
    ...(common.tokens === undefined ? [] : [issuerFreeze(view, common.tokens)]),
    ...(common.solana === undefined
      ? common.chains.map((chain) => chainActivity(view, chain))
      : solanaChecks(view)),
    ...(common.contacts === undefined ? [] : [lookAlike(view, common.contacts)]),
    ...(common.exposure === undefined ? [] : [exposureCheck(common.exposure, at)]),
    ...(view.facts.chains.some((c) => c.grants !== undefined) ? [standingGrants(view)] : []),
    ...(common.transfers === undefined
      ? []
      : [transfersCheck(view, common.transfers), ...poisoningCheck(view, common.transfers)]),
    platformHistory(view),
    ...(behaviours(common).length === 0 ? [] : [behaviourCheck(behaviours(common), at)]),
    ...transactionChecks(view),
    ...(common.origin === undefined ? [] : originChecks(common.origin, view.at)),
    ...(common.policy === undefined ? [] : [chainPolicyCheck(view, common.policy)]),
  ];
}

function addressForm({ common, at }: WalletView): Check {
  const read = tryAddress(common.address);
  const good = read !== null && read.type === common.addressType;
  const detail = !good
    ? 'the address cannot be read'
    : read.type === 'evm'
      ? '0x and 40 hex digits'
      : 'base58 of 32 bytes';
  return check('address-form', good ? 'PASS' : 'FLAG', detail, itself(at));
}

/** EIP-55: letters of a single case carry no checksum; mixed case must be the right one. */
function addressChecksum({ common, at }: WalletView): Check {
  const bare = common.address.slice(2);
  if (bare === bare.toLowerCase() || bare === bare.toUpperCase()) {
    return check('address-checksum', 'PASS', 'written in one case, so it carries no checksum', itself(at));
  }
  const right = checksumAddress(common.address);
  if (right === common.address)
    return check('address-checksum', 'PASS', 'the EIP-55 checksum is right', itself(at));
  return check(
    'address-checksum',
    'FLAG',
    `the EIP-55 checksum is wrong: a digit or a letter may be mistyped; the same digits are spelled ${right}`,
    itself(at),
  );
}

function chainActivity(view: WalletView, chain: string): Check {
  const id = `chain-activity:${chain.replace(/^eip155:/, '')}`;
  const reading = view.facts.chains.find((c) => c.chain === chain);
  const sources = [chainSource(view, chain)];
  if (reading === undefined || reading.nonce === null || reading.balance === null) {
    return check(id, 'INCONCLUSIVE', `could not be read: ${reading?.fault ?? 'no reading'}`, sources);
  }
  const sent = reading.nonce === 0 ? 'never sent a transaction' : `nonce ${reading.nonce}`;
  return check(id, 'PASS', `${sent}, balance ${reading.balance} wei`, sources);
}

function lookAlike({ common, at }: WalletView, contacts: Contacts): Check {
  const { days, addresses, others, onChain, known } = contacts;
  const where =
    onChain === true ? 'deals here and transfers on the chains followed here' : 'on this platform only';
  const limit =
    others === undefined
      ? `${addresses.length} addresses of the last ${days} days, ${where}`
      : `of the last ${days} days, ${where}; who does not look like it is not told`;
  const sources: Source[] = [
    { name: `whom the asker has ${onChain === true ? 'dealt' : 'settled deals'} with`, asOf: at, limit },
  ];
  if (known === true)
    return check('look-alike', 'PASS', 'the asker has dealt with this very address', sources);
  if (addresses.length === 0 && others !== true)
    return check('look-alike', 'PASS', 'no dealings known: the asker has settled no deal here', sources);
  const found = takenFor(common.address, contacts);
  return found.length === 0
    ? check('look-alike', 'PASS', 'it looks like nobody that the asker has dealt with', sources)
    : check(
        'look-alike',
        'FLAG',
        `it begins and ends like ${found.slice(0, 3).join(', ')}, and is another address`,
        sources,
      );
}

function platformHistory({ common, at }: WalletView): Check {
  const { hardFlags, stoppedDeals, days } = common.history;
  const sources: Source[] = [
    { name: "this platform's records", asOf: at, limit: `the last ${days} days on this platform only` },
  ];
  if (hardFlags.length > 0 || stoppedDeals.length > 0) {
    const flags = hardFlags.map((f) => `${f.check} in ${f.recordId} of ${f.at}`);
    const deals = stoppedDeals.map((d) => `deal ${d.dealId} of ${d.at}: ${d.reason}`);
    return check('platform-history', 'FLAG', [...flags, ...deals].join('; '), sources);
  }
  const told = common.history.told?.stoppedDeals ?? [];
  if (told.length > 0) {
    const deals = told.map((d) => `deal ${d.dealId} of ${d.at}`).join(', ');
    return check(
      'platform-history',
      'PASS',
      `stopped over this address: ${deals}. This is told and no evidence: what was found then is looked up anew`,
      sources,
    );
  }
  return check('platform-history', 'PASS', 'no deal was stopped over this address', sources);
}

/**
 * Every address, in any reading, that can act in this wallet's name or for which the wallet acts. The lists are
 * searched for them, and for whoever takes part in a transaction, too.
 */
export function relatedAddresses(readings: readonly WalletFacts[], tx?: AskedTransaction): string[] {
  const codes = readings.flatMap((r) => r.chains.map((c) => c.code).filter((c) => c !== null));
  const parties = [
    ...codes.flatMap(codeParties),
    ...codes.flatMap(namedInCode),
    ...readings.flatMap((r) => solanaParties(r.solana)),
  ];
  return [
    ...new Set([
      ...parties.map((p) => p.address),
      ...readings.flatMap(principalsIn),
      ...readings.flatMap(spendersIn),
      ...(tx === undefined ? [] : transactionParties(tx, null)),
      ...(tx === undefined ? [] : simulationsIn(readings).flatMap((seen) => transactionParties(tx, seen))),
    ]),
  ].sort();
}

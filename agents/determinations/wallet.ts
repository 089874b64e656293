import { accountKind, type CodeFacts, runsCodeOf } from './account-code.ts';
import { checksumAddress, tryAddress } from './address.ts';
import { chainSource, check, type Judging, type View } from './judging.ts';
import { listCheck, usable } from './lists.ts';
import type { Check, Outcome, Source } from './types.ts';
import type { ChainReading, WalletCommon, WalletFacts } from './wallet-evidence.ts';
import { walletAdversary, walletStatistics } from './wallet-scores.ts';

type WalletView = View<WalletCommon, WalletFacts>;

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
    listCheck('list-sanctions', common.sanctions, key, at),
    listCheck('list-known-scam', common.knownScam, key, at),
    ...(evm ? [contractCode(view), delegation(view)] : []),
    ...common.chains.map((chain) => chainActivity(view, chain)),
    platformHistory(view),
  ];
}

function form(at: string): Source[] {
  return [{ name: 'the address itself', asOf: at, limit: 'says nothing about who holds its key' }];
}

function addressForm({ common, at }: WalletView): Check {
  const read = tryAddress(common.address);
  const good = read !== null && read.type === common.addressType;
  const detail = !good
    ? 'the address cannot be read'
    : read.type === 'evm'
      ? '0x and 40 hex digits'
      : 'base58 of 32 bytes; whether it lies on the curve is not examined';
  return check('address-form', good ? 'PASS' : 'FLAG', detail, form(at));
}

/** EIP-55: letters of one case carry no checksum; mixed case must be the right one. */
function addressChecksum({ common, at }: WalletView): Check {
  const bare = common.address.slice(2);
  if (bare === bare.toLowerCase() || bare === bare.toUpperCase()) {
    return check('address-checksum', 'PASS', 'written in one case, so it carries no checksum', form(at));
  }
  const right = checksumAddress(common.address);
  if (right === common.address)
    return check('address-checksum', 'PASS', 'the EIP-55 checksum is right', form(at));
  return check(
    'address-checksum',
    'FLAG',
    `the EIP-55 checksum is wrong: a digit or a letter may be mistyped; the same digits are spelled ${right}`,
    form(at),
  );
}

interface CodeFinding {
  readonly outcome: Outcome;
  readonly hard?: boolean;
  readonly says: string;
}

function contractCode(view: WalletView): Check {
  return overChains(view, 'contract-code', (reading, code) => {
    const account = accountKind(code);
    if (account.kind === 'plain') return { outcome: 'PASS', says: `no code on ${reading.chain}` };
    if (account.kind === 'delegated')
      return { outcome: 'PASS', says: `an EIP-7702 delegation on ${reading.chain}` };
    const listed = listedFinding(view, account.kind === 'contract' ? null : account.to, 'its implementation');
    if (listed !== null) return listed;
    if (account.kind === 'contract')
      return { outcome: 'PASS', says: `a contract on ${reading.chain}, ${code.size} bytes` };
    if (account.kind === 'proxy') {
      return { outcome: 'PASS', says: `an ${account.standard} proxy on ${reading.chain} to ${account.to}` };
    }
    const own = view.common.platform.some(
      (p) => p.chain === reading.chain && p.implementation === account.to && p.agentNft === account.contract,
    );
    const whose = own
      ? "this platform's agent"
      : `the token ${account.contract}/${account.tokenId}, not of this platform,`;
    const token = own ? ` ${account.tokenId}` : '';
    return { outcome: 'PASS', says: `the ERC-6551 account of ${whose}${token} on ${reading.chain}` };
  });
}

function delegation(view: WalletView): Check {
  return overChains(view, 'eip7702-delegation', (reading, code) => {
    const account = accountKind(code);
    if (account.kind !== 'delegated') return { outcome: 'PASS', says: `no delegation on ${reading.chain}` };
    const listed = listedFinding(view, account.to, 'its delegate');
    return (
      listed ?? {
        outcome: 'PASS',
        says: `delegated to ${account.to} on ${reading.chain}, which no list names`,
      }
    );
  });
}

/** Code that runs in an account's name is looked up like the account itself. Null: nothing speaks against it. */
function listedFinding(view: WalletView, address: string | null, what: string): CodeFinding | null {
  if (address === null) return null;
  const { knownScam, sanctions } = view.common;
  const hit = [...sanctions.hits, ...knownScam.hits].find((h) => h.key === address);
  if (hit !== undefined) return { outcome: 'FLAG', hard: true, says: `${what} ${address} is on ${hit.list}` };
  const known = [sanctions, knownScam].every((r) => r.lookedUp.includes(address) && usable(r, view.at));
  return known
    ? null
    : { outcome: 'INCONCLUSIVE', says: `${what} ${address} could not be looked up on fresh lists` };
}

function overChains(
  view: WalletView,
  id: string,
  find: (reading: ChainReading, code: CodeFacts) => CodeFinding,
): Check {
  const findings = view.common.chains.map((chain): CodeFinding => {
    const reading = view.facts.chains.find((c) => c.chain === chain);
    if (reading?.code == null) {
      return {
        outcome: 'INCONCLUSIVE',
        says: `${chain} could not be read: ${reading?.fault ?? 'no reading'}`,
      };
    }
    return find(reading, reading.code);
  });
  const sources = view.common.chains.map((chain) => chainSource(view, chain));
  const worst =
    (['FLAG', 'INCONCLUSIVE'] as const).find((o) => findings.some((f) => f.outcome === o)) ?? 'PASS';
  if (findings.length === 0) return check(id, 'INCONCLUSIVE', 'no chain is configured', form(view.at));
  const hard = findings.some((f) => f.outcome === 'FLAG' && f.hard === true);
  const said = findings.filter((f) => worst === 'PASS' || f.outcome !== 'PASS').map((f) => f.says);
  return check(id, worst, said.join('; '), sources, { hard });
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
  return check('platform-history', 'PASS', 'no hard flag and no deal stopped over this address', sources);
}

/** Every address whose code runs in this wallet's name, in any reading: looked up on the lists with it. */
export function relatedAddresses(readings: readonly WalletFacts[]): string[] {
  const codes = readings.flatMap((r) => r.chains.map((c) => c.code).filter((c) => c !== null));
  return [...new Set(codes.map(runsCodeOf).filter((a) => a !== null))].sort();
}

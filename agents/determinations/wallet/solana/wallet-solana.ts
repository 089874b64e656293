import { check } from '../../panel/judging.ts';
import type { Check, Source } from '../../panel/types.ts';
import { type Finding, listedFinding, type WalletView, worstOf } from '../wallet-findings.ts';
import { onCurve } from './solana-curve.ts';
import { type SolanaAccount, type SolanaReading, solanaParties } from './wallet-solana-facts.ts';

/** A finalized slot that was older than this when the evidence was gathered means that the node is stuck. */
export const MAX_LAG_MS = 10 * 60_000;

/** The checks of a Solana address. A missing or too old reading makes each of them INCONCLUSIVE. */
export function solanaChecks(view: WalletView): Check[] {
  const sources = [solanaSource(view)];
  const asked = (id: string, find: (account: SolanaAccount | null, reading: SolanaReading) => Finding) => {
    const reading = view.facts.solana;
    const gap = solanaGap(reading, view.at);
    const found: Finding =
      gap !== null || reading === undefined
        ? { outcome: 'INCONCLUSIVE', says: `could not be read: ${gap ?? 'no reading'}` }
        : find(reading.account, reading);
    return check(id, found.outcome, found.says, sources, { hard: found.hard === true });
  };
  return [
    asked('chain-activity:solana', activity),
    asked('solana-curve', (account, reading) => curve(view, account, reading)),
    asked('solana-program', (account) => program(view, account)),
    asked('solana-token-account', (account) => tokenAccount(view, account)),
    asked('solana-frozen', (account, reading) => frozen(view, account, reading)),
    asked('solana-delegate', (account, reading) => delegate(view, account, reading)),
  ];
}

/** Why this reading cannot be used, or null when it can. */
export function solanaGap(reading: SolanaReading | undefined, at: string): string | null {
  if (reading === undefined) return 'no reading';
  if (reading.fault !== null) return reading.fault;
  if (reading.slot === null || reading.at === null || reading.onCurve === null)
    return 'the slot is not named';
  const age = Date.parse(at) - Date.parse(reading.at);
  return age <= MAX_LAG_MS ? null : `the newest finalized slot, of ${reading.at}, is too old`;
}

function solanaSource({ facts, limit, at }: WalletView): Source {
  const reading = facts.solana;
  const source = reading?.source ?? 'no Solana reader';
  if (reading?.slot == null) return { name: `${source}, solana`, asOf: at, limit };
  return {
    name: `${source}, solana ${reading.cluster ?? 'cluster unknown'} slot ${reading.slot} (finalized)`,
    asOf: reading.at ?? at,
    limit: `the state at that slot, as this one endpoint tells it through one client library; ${limit}`,
  };
}

function activity(account: SolanaAccount | null): Finding {
  if (account === null) return { outcome: 'PASS', says: 'no account there: it holds no SOL' };
  return { outcome: 'PASS', says: `balance ${account.lamports} lamports, owned by ${account.owner}` };
}

function curve({ common }: WalletView, account: SolanaAccount | null, reading: SolanaReading): Finding {
  const own = onCurve(common.address);
  if (own !== reading.onCurve)
    return {
      outcome: 'INCONCLUSIVE',
      says: 'two computations differ on whether the address is on the curve',
    };
  if (own) return { outcome: 'PASS', says: 'on the curve: a key can sign for it' };
  if (account !== null)
    return { outcome: 'PASS', says: 'off the curve: no key signs for it, only a program does' };
  return {
    outcome: 'INCONCLUSIVE',
    says: 'off the curve and without an account: no key signs for it, and no program is seen to',
  };
}

function program(view: WalletView, account: SolanaAccount | null): Finding {
  if (account?.is.kind !== 'program') {
    if (account?.executable === true) return unknown(account);
    return { outcome: 'PASS', says: 'no program' };
  }
  const { upgradeable, authority } = account.is;
  if (!upgradeable || authority === null)
    return { outcome: 'PASS', says: 'a program, not a wallet; nobody can change it' };
  const says = `a program, not a wallet; ${authority} can change it`;
  return listedFinding(view, authority, 'its upgrade authority') ?? { outcome: 'PASS', says };
}

function tokenAccount(view: WalletView, account: SolanaAccount | null): Finding {
  const is = account?.is;
  if (is?.kind === 'unknown') return unknown(account!);
  if (is?.kind === 'mint') {
    const freeze = is.freezeAuthority === null ? '' : `; ${is.freezeAuthority} can freeze its accounts`;
    return { outcome: 'FLAG', says: `the mint of a token in place of a wallet${freeze}` };
  }
  if (is?.kind !== 'token-account') return { outcome: 'PASS', says: `not a token account${kindOf(account)}` };
  const flag = `a token account of the mint ${is.mint} in place of a wallet: it belongs to ${is.holder}`;
  const listed = listedFinding(view, is.holder, 'its holder');
  return listed?.outcome === 'FLAG' ? listed : { outcome: 'FLAG', says: flag };
}

function kindOf(account: SolanaAccount | null): string {
  if (account?.is.kind === 'multisig') return ', but a multisig of the token program';
  if (account?.is.kind === 'nonce') return ', but a nonce account';
  if (account?.is.kind === 'stake') return ', but a stake account';
  return account?.is.kind === 'data' ? `, but data of the program ${account.owner}` : '';
}

function unknown(account: SolanaAccount): Finding {
  const why = account.is.kind === 'unknown' ? account.is.why : 'an executable account of no known loader';
  return { outcome: 'INCONCLUSIVE', says: why };
}

function frozen(view: WalletView, account: SolanaAccount | null, reading: SolanaReading): Finding {
  const held = heldTokens(account, reading);
  const ice = held.filter((t) => t.frozen).map((t) => nameOf(view, t.mint));
  if (ice.length > 0) {
    const mints = [...new Set(ice)].sort().join(', ');
    return { outcome: 'FLAG', hard: true, says: `the issuer has frozen its account of ${mints}` };
  }
  if (account?.is.kind === 'unknown') return unknown(account);
  const asked = (view.common.solana?.mints ?? []).map((m) => m.name).sort();
  return { outcome: 'PASS', says: `no frozen account of ${asked.join(', ')}, of ${held.length} it has` };
}

/** The roles that are told of by no other check. */
const ACTS = /delegate|close|signer|nonce|staker|withdrawer/;

function delegate(view: WalletView, account: SolanaAccount | null, reading: SolanaReading): Finding {
  const parties = solanaParties(reading).filter((p) => ACTS.test(p.role));
  const against = worstOf(parties.map((p) => listedFinding(view, p.address, p.role)));
  if (against !== null) return against;
  if (account?.is.kind === 'unknown') return unknown(account);
  const named = heldTokens(account, reading)
    .filter((t) => t.delegate !== null)
    .map((t) => `${t.delegate} may move ${t.delegatedAmount} of its ${nameOf(view, t.mint)}`)
    .sort();
  const all = [...controllersOf(account), ...named];
  return {
    outcome: 'PASS',
    says:
      all.length === 0 ? 'no delegate' : `${all.join('; ')}; no list names ${all.length > 1 ? 'them' : 'it'}`,
  };
}

function controllersOf(account: SolanaAccount | null): string[] {
  const is = account?.is;
  if (is?.kind === 'multisig' && is.signers !== undefined)
    return [`${is.required} of ${is.signers.join(', ')} sign for it`];
  if (is?.kind === 'nonce') return [`${is.authority} may move what it holds`];
  if (is?.kind === 'stake') return [`${is.staker} may stake, and ${is.withdrawer} withdraw, what it holds`];
  return [];
}

function heldTokens(account: SolanaAccount | null, reading: SolanaReading) {
  return [...(account?.is.kind === 'token-account' ? [account.is] : []), ...reading.holdings];
}

function nameOf(view: WalletView, mint: string): string {
  const known = view.common.solana?.mints.find((m) => m.mint === mint);
  return known === undefined ? `the mint ${mint}` : `${known.name} (${mint})`;
}

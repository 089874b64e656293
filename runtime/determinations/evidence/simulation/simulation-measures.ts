import { decodeCall, intendedApproval } from '../../../../agents/determinations/transaction/call-data.ts';
import { isCaller, unfolded } from '../../../../agents/determinations/transaction/inner-calls.ts';
import type {
  Approval,
  AskedTransaction,
  Asset,
  Effects,
} from '../../../../agents/determinations/transaction/transaction-evidence.ts';
import { numberIn, selector } from '../../../../agents/determinations/transaction/words.ts';
import type { ChainReader, Head, SimulatedCall, SimulatedOutcome } from '../../../../chain/rpc/reader.ts';
import { DECIDERS, type DecidersTold, decidersIn } from './simulated-deciders.ts';
import { callOf, conditioned } from './simulation-conditions.ts';

type Hex = `0x${string}`;

/** Tokens and approvals that are asked about. */
const MOST = 8;
const PROBE_GAS = 300_000n;
const DECIDER_GAS = 100_000n;

const BALANCE = selector('balanceOf(address)');
const ALLOWANCE = selector('allowance(address,address)');
const DECIMALS = selector('decimals()');
const SYMBOL = selector('symbol()');

interface Asked {
  readonly tx: AskedTransaction;
  readonly block: Head;
  /** Of the transaction. */
  readonly gas: bigint;
}

interface Holding {
  readonly token: string;
  readonly holder: string;
}

interface Grant {
  readonly token: string;
  readonly owner: string;
  readonly spender: string;
}

/** What is asked of tokens, before and after: balances of the sender's accounts, and what a spender may take of them. */
interface Probed {
  readonly holdings: readonly Holding[];
  readonly grants: readonly Grant[];
  /** Accounts that are asked who decides over them. */
  readonly accounts: readonly string[];
}

/** What they told, in the order of {@link trial}. */
export interface Told extends Probed {
  readonly tokens: readonly string[];
  readonly outcomes: readonly SimulatedOutcome[];
}

/** What a transaction says of itself: it is asked before its effects are known, and mostly that is all. */
export function foreseen(tx: AskedTransaction): Probed {
  const { calls } = unfolded(tx);
  const spoken = calls.filter(({ data, delegated }) => data.length > 2 && !delegated && !isCaller(data));
  const holdings = spoken.map(({ to, account }) => ({ token: to, holder: account }));
  const grants = spoken.flatMap(({ account, to, data }) => {
    const given = intendedApproval({ from: account, to }, decodeCall(data));
    return given?.via === 'allowance' ? [given] : [];
  });
  // What is called as a token is nobody's account.
  const isAccount = tx.data.length > 2 && decodeCall(tx.data).name === null;
  return {
    holdings: distinct(holdings, keyOfHolding).slice(0, MOST),
    grants: distinct(grants, keyOfGrant).slice(0, MOST),
    accounts: isAccount ? [tx.to] : [],
  };
}

const keyOfHolding = ({ token, holder }: Holding): string => `${token} ${holder}`;
const keyOfGrant = ({ token, owner, spender }: Grant): string => `${token} ${owner} ${spender}`;

function distinct<T>(all: readonly T[], key: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [key(one), one])).values()];
}

/** What the effects of a transaction are about. */
function concerned(effects: Effects, own: readonly string[]): Probed {
  const moved = effects.changes
    .filter((c) => own.includes(c.party))
    .flatMap(({ asset, party }) => {
      const [token] = fungible(asset);
      return token === undefined ? [] : [{ token, holder: party }];
    });
  const given = effects.approvals.filter((a) => own.includes(a.owner) && isOfAmounts(a) && a.amount !== '0');
  const covered = given.map(({ token, owner }) => ({ token, holder: owner }));
  return {
    holdings: distinct([...moved, ...covered], keyOfHolding).slice(0, MOST),
    grants: distinct(grantsIn(effects, own), keyOfGrant),
    accounts: [],
  };
}

const isOfAmounts = ({ via }: Approval): boolean => via === 'allowance' || via === 'permit2';

function grantsIn({ approvals }: Effects, own: readonly string[]): Approval[] {
  return approvals.filter((a) => own.includes(a.owner) && a.via === 'allowance').slice(0, MOST);
}

/**
 * Asks tokens and accounts before and after: a token's events may say anything, and a change of who decides needs none.
 * One simulation asks for balances, allowances and owners, executes the transaction, asks again, and asks for the tokens'
 * names. @throws ReaderError
 */
export async function askTokens(reader: ChainReader, asked: Asked, probed: Probed): Promise<Told> {
  const { tx, block, gas } = asked;
  const tokens = [...new Set(probed.holdings.map(({ token }) => token))];
  const probes = [
    ...probed.holdings.map(({ token, holder }) => probe(token, `${BALANCE}${padded(holder)}`)),
    ...probed.grants.map((g) => probe(g.token, `${ALLOWANCE}${padded(g.owner)}${padded(g.spender)}`)),
    ...probed.accounts.flatMap((who) => DECIDERS.map((question) => probe(who, question, DECIDER_GAS))),
  ];
  if (probes.length === 0) return { ...probed, tokens, outcomes: [] };
  const names = tokens.flatMap((token) => [probe(token, DECIMALS), probe(token, SYMBOL)]);
  const calls = [...probes, callOf(tx, gas), ...probes, ...names];
  const outcomes = await reader.simulate({ ...conditioned(tx, block, null, gas), calls });
  return { ...probed, tokens, outcomes };
}

/** Who decides over the accounts that were asked, before and after the transaction. */
export function decidersTold({ holdings, grants, accounts, outcomes }: Told): DecidersTold[] {
  const first = holdings.length + grants.length;
  const probes = first + accounts.length * DECIDERS.length;
  return accounts.map((address, i) => {
    const at = (from: number) => {
      const start = from + first + i * DECIDERS.length;
      return decidersIn(outcomes.slice(start, start + DECIDERS.length));
    };
    return { address, before: at(0), after: at(probes + 1) };
  });
}

/**
 * The effects with what tokens themselves tell before and after, and what the sender's accounts held of the native currency.
 * @param told of what was foreseen; asked anew where the effects are about more
 */
export async function measured(
  reader: ChainReader,
  asked: Asked & { readonly own: readonly string[]; readonly balanceOf: (who: string) => Promise<bigint> },
  effects: Effects,
  told: Told,
): Promise<Effects> {
  const wanted = concerned(effects, asked.own);
  const [holdings, grants] = [new Set(told.holdings.map(keyOfHolding)), new Set(told.grants.map(keyOfGrant))];
  const isForeseen =
    wanted.holdings.every((one) => holdings.has(keyOfHolding(one))) &&
    wanted.grants.every((one) => grants.has(keyOfGrant(one))) &&
    namedIn(effects).every((token) => told.tokens.includes(token));
  const named = withNames(wanted, effects, asked.tx);
  const isNothing = wanted.holdings.length + wanted.grants.length + named.holdings.length === 0;
  const heard = isForeseen || isNothing ? told : await askTokens(reader, asked, named);
  return await inEther(asked, withTold(asked.own, effects, heard));
}

/** The tokens whose names are told. */
function namedIn({ changes }: Effects): string[] {
  return [...new Set(changes.flatMap(({ asset }) => fungible(asset)))].slice(0, MOST);
}

/** Tokens that only others have more or less of are asked for their names, too: with a balance of the sender. */
function withNames(wanted: Probed, effects: Effects, tx: AskedTransaction): Probed {
  const asked = new Set(wanted.holdings.map(({ token }) => token));
  const others = namedIn(effects)
    .filter((token) => !asked.has(token))
    .slice(0, MOST - wanted.holdings.length);
  return {
    ...wanted,
    holdings: [...wanted.holdings, ...others.map((token) => ({ token, holder: tx.from }))],
  };
}

function withTold(own: readonly string[], effects: Effects, told: Told): Effects {
  const { holdings, grants, tokens, outcomes } = told;
  const n = probesIn(told);
  const amount = (i: number): bigint | null => (i < 0 ? null : wordOf(outcomes[i]!));
  const holdingAt = (token: string | null, holder: string) =>
    holdings.findIndex((h) => h.token === token && h.holder === holder);
  const calledSo = new Map(
    tokens.map((token, i) => [token, naming(outcomes[2 * n + 1 + 2 * i]!, outcomes[2 * n + 2 + 2 * i]!)]),
  );
  const changes = effects.changes.map((change) => {
    const [token] = fungible(change.asset);
    if (token === undefined) return change;
    const asset = { ...change.asset, ...calledSo.get(token) };
    const at = holdingAt(token, change.party);
    const [before, after] = [amount(at), at < 0 ? null : amount(n + 1 + at)];
    if (!own.includes(change.party) || before === null || after === null) return { ...change, asset };
    return { ...change, asset, delta: `${after - before}`, before: `${before}` };
  });
  const approvals = effects.approvals.flatMap((approval) => {
    const balance = isOfAmounts(approval) ? amount(holdingAt(approval.token, approval.owner)) : null;
    const given =
      balance === null || approval.amount === '0' ? approval : { ...approval, held: `${balance}` };
    const at = grants.findIndex((g) => keyOfGrant(g) === keyOfGrant(approval));
    if (approval.via !== 'allowance' || !own.includes(approval.owner) || at < 0) return [given];
    const [before, after] = [amount(holdings.length + at), amount(n + 1 + holdings.length + at)];
    if (before === null || after === null) return [given];
    // Some tokens tell an approval when one is used: what is less than before was not given.
    return after < before && after > 0n ? [] : [{ ...given, amount: `${after}` }];
  });
  return { ...effects, approvals, changes };
}

const probesIn = ({ holdings, grants, accounts }: Probed): number =>
  holdings.length + grants.length + accounts.length * DECIDERS.length;

/** What the sender's accounts held of the native currency, and no change that comes to nothing. */
async function inEther(
  {
    own,
    balanceOf,
  }: { readonly own: readonly string[]; readonly balanceOf: (who: string) => Promise<bigint> },
  effects: Effects,
): Promise<Effects> {
  const changes = await Promise.all(
    effects.changes.map(async (c) =>
      c.asset.kind === 'native' && own.includes(c.party)
        ? { ...c, before: `${await balanceOf(c.party)}` }
        : c,
    ),
  );
  return { ...effects, changes: changes.filter((c) => c.delta !== '0') };
}

function fungible({ kind, token }: Asset): string[] {
  return kind === 'erc20' && token !== null ? [token] : [];
}

const padded = (address: string): string => address.slice(2).padStart(64, '0');

/** Nobody is the caller, so that a token sees nothing of the sender. */
function probe(token: string, data: string, gas = PROBE_GAS): SimulatedCall {
  const from: Hex = '0x0000000000000000000000000000000000000000';
  return { from, to: token as Hex, data: data as Hex, value: 0n, gas };
}

function wordOf({ ok, output }: SimulatedOutcome): bigint | null {
  return ok && output.length >= 66 ? numberIn(output.slice(2, 66)) : null;
}

/** Decimals, and the symbol as text or as 32 bytes; at most 32 characters that can be printed. */
function naming(decimals: SimulatedOutcome, symbol: SimulatedOutcome): Pick<Asset, 'decimals' | 'symbol'> {
  const places = wordOf(decimals);
  const bare = symbol.ok ? symbol.output.slice(2) : '';
  const bytes =
    bare.length === 64 ? bare : bare.slice(128, 128 + 2 * Number(`0x${bare.slice(64, 128) || 0}`));
  const text = Buffer.from(bytes.slice(0, 64), 'hex')
    .toString('utf8')
    .replaceAll(/[^\x20-\x7e]/g, '');
  return {
    decimals: places === null || places > 255n ? null : Number(places),
    symbol: text === '' ? null : text,
  };
}

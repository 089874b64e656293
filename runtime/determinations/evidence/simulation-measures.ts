import { decodeCall, intendedApproval } from '../../../agents/determinations/transaction/call-data.ts';
import type {
  Approval,
  AskedTransaction,
  Asset,
  Effects,
} from '../../../agents/determinations/transaction/transaction-evidence.ts';
import { numberIn, selector } from '../../../agents/determinations/transaction/words.ts';
import type { ChainReader, Head, SimulatedCall, SimulatedOutcome } from '../../../chain/rpc/reader.ts';
import { callOf, conditioned, GAS } from './simulation-conditions.ts';

type Hex = `0x${string}`;

/** Tokens and approvals that are asked about. */
const MOST = 8;
const PROBE_GAS = 300_000n;

const BALANCE = selector('balanceOf(address)');
const ALLOWANCE = selector('allowance(address,address)');
const DECIMALS = selector('decimals()');
const SYMBOL = selector('symbol()');

interface Asked {
  readonly tx: AskedTransaction;
  readonly block: Head;
}

/** What is asked of tokens, before and after: the sender's balances, and what a spender may take of it. */
interface Probed {
  readonly tokens: readonly string[];
  readonly grants: readonly { readonly token: string; readonly spender: string }[];
}

/** What tokens told, in the order of {@link callsFor}. */
export interface Told extends Probed {
  readonly outcomes: readonly SimulatedOutcome[];
}

/** What a transaction says of itself: it is asked before its effects are known, and mostly that is all. */
export function foreseen(tx: AskedTransaction): Probed {
  const spender = intendedApproval(tx, decodeCall(tx.data));
  const grants = spender?.via === 'allowance' ? [{ token: tx.to, spender: spender.spender }] : [];
  return { tokens: tx.data.length > 2 ? [tx.to] : [], grants };
}

/** What the effects of a transaction are about. */
function concerned(tx: AskedTransaction, effects: Effects): Probed {
  const tokens = [...new Set(effects.changes.flatMap(({ asset }) => fungible(asset)))].slice(0, MOST);
  return { tokens, grants: grantsIn(tx, effects) };
}

function grantsIn(tx: AskedTransaction, { approvals }: Effects): Approval[] {
  return approvals.filter((a) => a.owner === tx.from && a.via === 'allowance').slice(0, MOST);
}

/**
 * Asks tokens before and after: a token's events may say anything. One simulation asks for the sender's balances and
 * allowances, executes the transaction, asks again, and asks for the tokens' names. @throws ReaderError
 */
export async function askTokens(reader: ChainReader, asked: Asked, probed: Probed): Promise<Told> {
  const { tx, block } = asked;
  if (probed.tokens.length + probed.grants.length === 0) return { ...probed, outcomes: [] };
  const probes = [
    ...probed.tokens.map((token) => probe(token, `${BALANCE}${padded(tx.from)}`)),
    ...probed.grants.map((g) => probe(g.token, `${ALLOWANCE}${padded(tx.from)}${padded(g.spender)}`)),
  ];
  const names = probed.tokens.flatMap((token) => [probe(token, DECIMALS), probe(token, SYMBOL)]);
  const calls = [...probes, { ...callOf(tx), gas: GAS }, ...probes, ...names];
  return { ...probed, outcomes: await reader.simulate({ ...conditioned(tx, block, null), calls }) };
}

/**
 * The effects with what tokens themselves tell before and after, and what the sender held of the native currency.
 * @param told of what was foreseen; asked anew where the effects are about more
 */
export async function measured(
  reader: ChainReader,
  asked: Asked & { readonly balance: bigint },
  effects: Effects,
  told: () => Promise<Told>,
): Promise<Effects> {
  const wanted = concerned(asked.tx, effects);
  if (wanted.tokens.length + wanted.grants.length === 0) return inEther(asked, effects);
  const guess = foreseen(asked.tx);
  const isForeseen =
    wanted.tokens.every((token) => guess.tokens.includes(token)) &&
    wanted.grants.every((grant) => guess.grants.some((g) => isSame(g, grant)));
  const heard = isForeseen ? await told() : await askTokens(reader, asked, wanted);
  return inEther(asked, withTold(asked.tx, effects, heard));
}

function withTold(tx: AskedTransaction, effects: Effects, { tokens, grants, outcomes }: Told): Effects {
  const n = tokens.length + grants.length;
  const amount = (i: number): bigint | null => wordOf(outcomes[i]!);
  const namesAt = (i: number) => 2 * n + 1 + 2 * i;
  const calledSo = new Map(
    tokens.map((token, i) => [token, naming(outcomes[namesAt(i)]!, outcomes[namesAt(i) + 1]!)]),
  );
  const changes = effects.changes.map((change) => {
    const [token] = fungible(change.asset);
    const at = token === undefined ? -1 : tokens.indexOf(token);
    if (at < 0) return change;
    const asset = { ...change.asset, ...calledSo.get(token!) };
    const [before, after] = [amount(at), amount(n + 1 + at)];
    if (change.party !== tx.from || before === null || after === null) return { ...change, asset };
    return { ...change, asset, delta: `${after - before}`, before: `${before}` };
  });
  const own = grantsIn(tx, effects);
  const approvals = effects.approvals.flatMap((approval) => {
    const at = own.includes(approval) ? grants.findIndex((g) => isSame(g, approval)) : -1;
    if (at < 0) return [approval];
    const [before, after] = [amount(tokens.length + at), amount(n + 1 + tokens.length + at)];
    if (before === null || after === null) return [approval];
    // Some tokens tell an approval when one is used: what is less than before was not given.
    return after < before && after > 0n ? [] : [{ ...approval, amount: `${after}` }];
  });
  return { ...effects, approvals, changes };
}

/** What the sender held of the native currency, and no change that comes to nothing. */
function inEther(
  { tx, balance }: { readonly tx: AskedTransaction; readonly balance: bigint },
  effects: Effects,
): Effects {
  const changes = effects.changes.map((c) =>
    c.asset.kind === 'native' && c.party === tx.from ? { ...c, before: `${balance}` } : c,
  );
  return { ...effects, changes: changes.filter((c) => c.delta !== '0') };
}

function isSame(
  a: { readonly token: string; readonly spender: string },
  b: { readonly token: string; readonly spender: string },
): boolean {
  return a.token === b.token && a.spender === b.spender;
}

function fungible({ kind, token }: Asset): string[] {
  return kind === 'erc20' && token !== null ? [token] : [];
}

const padded = (address: string): string => address.slice(2).padStart(64, '0');

/** Nobody is the caller, so that a token sees nothing of the sender. */
function probe(token: string, data: string): SimulatedCall {
  const from: Hex = '0x0000000000000000000000000000000000000000';
  return { from, to: token as Hex, data: data as Hex, value: 0n, gas: PROBE_GAS };
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

import type {
  AskedTransaction,
  Asset,
  AssetChange,
  Effects,
} from '../../../agents/determinations/transaction/transaction-evidence.ts';
import { numberIn, selector } from '../../../agents/determinations/transaction/words.ts';
import type { ChainReader, Head, SimulatedCall, SimulatedOutcome } from '../../../chain/rpc/reader.ts';
import { callOf, conditioned, GAS, type Sender } from './simulation-conditions.ts';

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
  readonly sender: Sender;
  readonly effects: Effects;
}

/**
 * The effects with what tokens themselves tell before and after: a token's events may say anything. One simulation asks
 * for the sender's balances and allowances, executes the transaction, and asks again.
 */
export async function measured(reader: ChainReader, asked: Asked): Promise<Effects> {
  const { tx, block, sender, effects } = asked;
  const tokens = [...new Set(effects.changes.flatMap(({ asset }) => fungible(asset)))].slice(0, MOST);
  const grants = effects.approvals.filter((a) => a.owner === tx.from && a.via === 'allowance').slice(0, MOST);
  const probes = [
    ...tokens.map((token) => probe(token, `${BALANCE}${padded(tx.from)}`)),
    ...grants.map((a) => probe(a.token, `${ALLOWANCE}${padded(tx.from)}${padded(a.spender)}`)),
  ];
  const names = tokens.flatMap((token) => [probe(token, DECIMALS), probe(token, SYMBOL)]);
  const native = (changes: readonly AssetChange[]) =>
    changes.map((c) =>
      c.asset.kind === 'native' && c.party === tx.from ? { ...c, before: `${sender.balance}` } : c,
    );
  if (probes.length === 0) return { ...effects, changes: native(effects.changes) };
  const calls = [...probes, { ...callOf(tx), gas: GAS }, ...probes, ...names];
  const told = await reader.simulate({ ...conditioned(tx, block, sender, null), calls });
  const n = probes.length;
  const amount = (i: number): bigint | null => wordOf(told[i]!);
  const calledSo = new Map(
    tokens.map((token, i) => [token, naming(told[2 * n + 1 + 2 * i]!, told[2 * n + 2 + 2 * i]!)]),
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
  const approvals = effects.approvals.flatMap((approval) => {
    const at = grants.indexOf(approval);
    if (at < 0) return [approval];
    const [before, after] = [amount(tokens.length + at), amount(n + 1 + tokens.length + at)];
    if (before === null || after === null) return [approval];
    // Some tokens tell an approval when one is used: what is less than before was not given.
    return after < before && after > 0n ? [] : [{ ...approval, amount: `${after}` }];
  });
  return { ...effects, approvals, changes: native(changes).filter((c) => c.delta !== '0') };
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

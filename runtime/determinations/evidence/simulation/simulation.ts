import {
  decodeCall,
  intendedApproval,
  intendedRecipient,
} from '../../../../agents/determinations/transaction/call-data.ts';
import { recipientsOf, worseThan } from '../../../../agents/determinations/transaction/compare.ts';
import { effectsOf } from '../../../../agents/determinations/transaction/effects.ts';
import { isCaller, unfolded } from '../../../../agents/determinations/transaction/inner-calls.ts';
import {
  type AskedTransaction,
  CONDITIONS,
  type Condition,
  type ConditionName,
  type Effects,
  type Simulation,
} from '../../../../agents/determinations/transaction/transaction-evidence.ts';
import {
  CannotSimulate,
  type ChainReader,
  type Head,
  NATIVE,
  type SimulatedOutcome,
} from '../../../../chain/rpc/reader.ts';
import { faultOf } from '../../deps.ts';
import { codeFacts, readSlots } from '../wallet/account-facts.ts';
import { changesTold, ownersTold } from './simulated-deciders.ts';
import { AUTHOR, assumedBalance, USUAL_GAS } from './simulation-conditions.ts';
import { askTokens, decidersTold, foreseen, measured, type Told } from './simulation-measures.ts';
import { DoesTooMuch, type Runs, runs, withAllGas } from './simulation-runs.ts';

type Hex = `0x${string}`;

/** Whose code is read, besides the sender's. */
const MOST_PARTIES = 8;

/**
 * Reads what a transaction would do at the pinned block, and under changed conditions. All that can be asked before its
 * effects are known goes to the node in one question; only what they add, or what much gas makes of it, is asked after.
 * @param address whom the determination is about, which may be the sender's own account
 * @throws ReaderError
 */
export async function readSimulation(
  reader: ChainReader,
  tx: AskedTransaction,
  block: Head,
  address: string = tx.to,
): Promise<Simulation> {
  try {
    return await simulated(reader, tx, block, address);
  } catch (error) {
    if (!(error instanceof CannotSimulate || error instanceof DoesTooMuch)) throw error;
    const reason = error instanceof DoesTooMuch ? error.message : faultOf(error);
    return { ...NOTHING, outcome: 'not-simulated', reason, conditions: [], parties: [] };
  }
}

const NOTHING: Effects = { changes: [], approvals: [], owners: [] };

async function simulated(
  reader: ChainReader,
  tx: AskedTransaction,
  block: Head,
  address: string,
): Promise<Simulation> {
  const from = tx.from as Hex;
  const { accounts } = unfolded(tx);
  const foreseeing = settled(askTokens(reader, { tx, block, gas: USUAL_GAS }, foreseen(tx)));
  const reading = codesOf(reader, tx, block);
  const balanceOf = balancesOf(reader, tx, block);
  void settled(Promise.all(partiesOf(tx, NOTHING, [tx.from, ...accounts]).map(reading)));
  void settled(Promise.all(accounts.map(balanceOf)));
  const [, code, first] = await Promise.all([
    balanceOf(from),
    reader.code(from, block),
    runs(reader, tx, block),
  ]);
  const look = async (run: Runs): Promise<Simulation> => {
    const asked = { tx, block, gas: run.gas };
    const told = run.gas === USUAL_GAS ? (await foreseeing)() : await askTokens(reader, asked, foreseen(tx));
    return await lookedAt(reader, run, told, { ...asked, address, code, reading, balanceOf });
  };
  const [seen, more] = await Promise.all([look(first), withAllGas(reader, tx, block, first)]);
  return more === null ? seen : await look(more);
}

/** What a run comes to, and what its effects concern. @param of.code the sender's */
async function lookedAt(
  reader: ChainReader,
  { preview, outcomes }: Runs,
  told: Told,
  of: {
    readonly tx: AskedTransaction;
    readonly block: Head;
    readonly gas: bigint;
    readonly address: string;
    readonly code: Hex;
    readonly reading: (who: Hex) => Promise<Party>;
    readonly balanceOf: (who: string) => Promise<bigint>;
  },
): Promise<Simulation> {
  const { tx, block, gas, address, code, reading, balanceOf } = of;
  const { accounts } = unfolded(tx);
  const deciders = decidersTold(told);
  const owned = deciders.map(ownersTold).filter((account) => account !== null);
  const effects = effectsIn(preview);
  const losing = effects.changes.filter((c) => c.delta.startsWith('-')).map((c) => c.party);
  const controlled = owned.filter(({ owners }) => owners.includes(tx.from)).map((account) => account.address);
  const own = [...new Set([tx.from, ...accounts, ...controlled, ...[tx.to, address].filter(isIn(losing))])];
  const [parties, seen] = await Promise.all([
    Promise.all(partiesOf(tx, effects, own).map(reading)),
    preview.ok ? measured(reader, { tx, block, gas, own, balanceOf }, effects, told) : effects,
  ]);
  const owners = preview.ok
    ? [...seen.owners, ...deciders.flatMap((one) => changesTold(one, seen.owners))]
    : seen.owners;
  const reason = preview.ok ? null : revertReason(preview.output);
  const outcome = preview.ok ? ('success' as const) : ('reverted' as const);
  const fork = preview.fork === true ? { fork: true as const } : {};
  const judgedFor = [...new Set([tx.from, ...accounts, ...controlled])];
  const conditions = CONDITIONS.map((name, i) => {
    // A contract wallet already is what the condition would make of the sender.
    const isNeeded = name !== 'other-origin' || code === '0x';
    return isNeeded
      ? judged(judgedFor, effects, name, outcomes[i]!)
      : { condition: name, outcome: 'same' as const, worse: [] };
  });
  const telling = owned.length === 0 ? {} : { accounts: owned };
  return { ...seen, owners, outcome, reason, ...fork, conditions, ...telling, parties };
}

const isIn =
  (all: readonly string[]) =>
  (one: string): boolean =>
    all.includes(one);

/** What accounts hold of the native currency, each read once. */
function balancesOf(
  reader: ChainReader,
  tx: AskedTransaction,
  block: Head,
): (who: string) => Promise<bigint> {
  const read = new Map<string, Promise<bigint>>();
  return async (who) => {
    const asked = read.get(who) ?? reader.balance(who as Hex, block);
    read.set(who, asked);
    const held = await asked;
    return who === tx.from ? (assumedBalance(tx) ?? held) : held;
  };
}

/** The outcome of a promise that nobody may come to wait for. */
function settled<T>(asked: Promise<T>): Promise<() => T> {
  return asked.then(
    (found) => () => found,
    (error: unknown) => () => {
      throw error;
    },
  );
}

export function effectsIn(outcome: SimulatedOutcome): Effects {
  return outcome.ok ? effectsOf(outcome.logs, NATIVE) : NOTHING;
}

function judged(
  own: readonly string[],
  effects: Effects,
  name: ConditionName,
  found: SimulatedOutcome | null,
): Condition {
  if (found === null) return { condition: name, outcome: 'not-simulated', worse: [] };
  if (!found.ok) return { condition: name, outcome: 'reverted', worse: [] };
  const other = effectsIn(found);
  const worse = [...new Set(own.flatMap((party) => worseThan(effects, other, party, [AUTHOR])))];
  const same = JSON.stringify(other.changes) === JSON.stringify(effects.changes) && worse.length === 0;
  return { condition: name, outcome: same ? 'same' : 'differs', worse };
}

/** Whom the transaction names, and whom its effects concern: who gets power first, then who gets what the sender loses. */
function partiesOf(tx: AskedTransaction, { changes, approvals }: Effects, own: readonly string[]): Hex[] {
  const { calls } = unfolded(tx);
  const spoken = calls.map(({ account, to, data }) => ({ account, to, call: decodeCall(data) }));
  const losing = new Set(changes.filter((c) => c.delta.startsWith('-')).map((c) => c.party));
  const gaining = changes.filter((c) => !c.delta.startsWith('-')).map((c) => c.party);
  const named = [
    tx.to,
    ...calls.filter(({ data, delegated }) => delegated || isCaller(data)).map(({ to }) => to),
    ...approvals.filter((a) => own.includes(a.owner)).map((a) => a.spender),
    ...spoken.map(({ account, to, call }) => intendedApproval({ from: account, to }, call)?.spender),
    ...spoken.map(({ call }) => intendedRecipient(call)),
    ...own.flatMap((party) => recipientsOf(changes, party)),
    ...gaining.filter((who) => !losing.has(who)),
    ...calls.map(({ to }) => to),
  ];
  const all = named.filter((who) => who != null && who !== tx.from && !/^0x0+$/.test(who));
  return [...new Set(all as Hex[])].slice(0, MOST_PARTIES);
}

type Party = Simulation['parties'][number];

/** Reads the code of one party, once however often it is asked for. What the transaction calls is taken for a contract. */
function codesOf(reader: ChainReader, tx: AskedTransaction, block: Head): (who: Hex) => Promise<Party> {
  const read = new Map<Hex, Promise<Party>>();
  const ask = async (who: Hex): Promise<Party> => {
    const slots = tx.data.length > 2 && who === tx.to ? readSlots(reader, who, block) : undefined;
    slots?.catch(() => {});
    return { address: who, code: await codeFacts(reader, who, block, await reader.code(who, block), slots) };
  };
  return (who) => {
    const asked = read.get(who) ?? ask(who);
    read.set(who, asked);
    return asked;
  };
}

const REVERTED = '0x08c379a0';

/** The words of `Error(string)`, or the selector of another error. */
function revertReason(output: string): string {
  if (output.startsWith(REVERTED)) {
    const length = Number.parseInt(output.slice(10 + 64, 10 + 128), 16);
    const bytes = Buffer.from(output.slice(10 + 128, 10 + 128 + 2 * Math.min(length || 0, 200)), 'hex');
    return `it would fail: ${bytes.toString('utf8').replaceAll(/\p{Cc}/gu, '')}`;
  }
  return output === '0x' ? 'it would fail' : `it would fail with ${output.slice(0, 10)}`;
}

import {
  decodeCall,
  intendedApproval,
  intendedRecipient,
} from '../../../agents/determinations/transaction/call-data.ts';
import { recipientsOf, worseThan } from '../../../agents/determinations/transaction/compare.ts';
import { effectsOf } from '../../../agents/determinations/transaction/effects.ts';
import {
  type AskedTransaction,
  CONDITIONS,
  type Condition,
  type ConditionName,
  type Effects,
  type Simulation,
} from '../../../agents/determinations/transaction/transaction-evidence.ts';
import {
  CannotSimulate,
  type ChainReader,
  type Head,
  NATIVE,
  ReaderError,
  type SimulatedOutcome,
} from '../../../chain/rpc/reader.ts';
import { faultOf } from '../deps.ts';
import { codeFacts } from './account-facts.ts';
import { AUTHOR, conditioned, type Sender } from './simulation-conditions.ts';
import { measured } from './simulation-measures.ts';

type Hex = `0x${string}`;

/** Whose code is read, besides the sender's. */
const MOST_PARTIES = 8;

/** Reads what a transaction would do at the pinned block, and under changed conditions. @throws ReaderError */
export async function readSimulation(
  reader: ChainReader,
  tx: AskedTransaction,
  block: Head,
): Promise<Simulation> {
  const from = tx.from as Hex;
  const [balance, code] = await Promise.all([reader.balance(from, block), reader.code(from, block)]);
  const sender: Sender = { balance: tx.assumedSender === true ? BigInt(tx.value) + ETHER : balance, code };
  try {
    return await simulated(reader, tx, block, sender);
  } catch (error) {
    if (!(error instanceof CannotSimulate)) throw error;
    const reason = faultOf(error);
    return { ...NOTHING, outcome: 'not-simulated', reason, conditions: [], parties: [] };
  }
}

const ETHER = 10n ** 18n;
const NOTHING: Effects = { changes: [], approvals: [], owners: [] };

async function simulated(
  reader: ChainReader,
  tx: AskedTransaction,
  block: Head,
  sender: Sender,
): Promise<Simulation> {
  const [preview] = await reader.simulate(conditioned(tx, block, sender, null));
  const effects = effectsIn(preview!);
  const [conditions, parties, seen] = await Promise.all([
    Promise.all(CONDITIONS.map((name) => conditionOf(reader, { tx, block, sender, name, effects }))),
    partiesOf(reader, tx, block, effects),
    preview!.ok ? measured(reader, { tx, block, sender, effects }) : effects,
  ]);
  const reason = preview!.ok ? null : revertReason(preview!.output);
  const outcome = preview!.ok ? ('success' as const) : ('reverted' as const);
  const fork = preview!.fork === true ? { fork: true as const } : {};
  return { ...seen, outcome, reason, ...fork, conditions, parties };
}

export function effectsIn(outcome: SimulatedOutcome): Effects {
  return outcome.ok ? effectsOf(outcome.logs, NATIVE) : NOTHING;
}

interface Asked {
  readonly tx: AskedTransaction;
  readonly block: Head;
  readonly sender: Sender;
  readonly name: ConditionName;
  readonly effects: Effects;
}

async function conditionOf(reader: ChainReader, asked: Asked): Promise<Condition> {
  const { tx, block, sender, name, effects } = asked;
  // A contract wallet already is what the condition would make of the sender.
  if (name === 'other-origin' && sender.code !== '0x') return { condition: name, outcome: 'same', worse: [] };
  let found: SimulatedOutcome;
  try {
    found = (await reader.simulate(conditioned(tx, block, sender, name)))[0]!;
  } catch (error) {
    if (!(error instanceof ReaderError) || error.kind === 'reorganised') throw error;
    return { condition: name, outcome: 'not-simulated', worse: [] };
  }
  if (!found.ok) return { condition: name, outcome: 'reverted', worse: [] };
  const other = effectsIn(found);
  const worse = worseThan(effects, other, tx.from, [AUTHOR]);
  const same = JSON.stringify(other.changes) === JSON.stringify(effects.changes) && worse.length === 0;
  return { condition: name, outcome: same ? 'same' : 'differs', worse };
}

async function partiesOf(
  reader: ChainReader,
  tx: AskedTransaction,
  block: Head,
  { changes, approvals }: Effects,
): Promise<Simulation['parties']> {
  const call = decodeCall(tx.data);
  const named = [
    tx.to,
    ...approvals.filter((a) => a.owner === tx.from).map((a) => a.spender),
    intendedApproval(tx, call)?.spender,
    intendedRecipient(call),
    ...recipientsOf(changes, tx.from),
  ];
  const all = [...new Set(named.filter((who) => who != null && who !== tx.from && !/^0x0+$/.test(who)))];
  return await Promise.all(
    all.slice(0, MOST_PARTIES).map(async (address) => {
      const who = address as Hex;
      return { address: who, code: await codeFacts(reader, who, block, await reader.code(who, block)) };
    }),
  );
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

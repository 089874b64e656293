import {
  decodeCall,
  intendedApproval,
  intendedRecipient,
} from '../../../../agents/determinations/transaction/call-data.ts';
import {
  type AskedTransaction,
  CONDITIONS,
  type ConditionName,
} from '../../../../agents/determinations/transaction/transaction-evidence.ts';
import { AnswerTooLarge } from '../../../../chain/rpc/bounded-answers.ts';
import {
  type ChainReader,
  type Head,
  ReaderError,
  type SimulatedOutcome,
} from '../../../../chain/rpc/reader.ts';
import { conditioned, MOST_GAS, USUAL_GAS } from './simulation-conditions.ts';

/** No wallet act that people are asked to sign logs as much. */
const MOST_LOGS = 500;

/** The transaction does more than is looked at. */
export class DoesTooMuch extends Error {
  override readonly name = 'DoesTooMuch';
}

export interface Runs {
  readonly preview: SimulatedOutcome;
  /** What the preview had. */
  readonly gas: bigint;
  /** In the order of `CONDITIONS`; null where there is no outcome that can be judged. */
  readonly outcomes: readonly (SimulatedOutcome | null)[];
}

/**
 * Runs the transaction by itself and under each condition: at once, with what almost all transactions need. Only what
 * fails with that, or needs more than half of it, is run again with all the gas that is given, one after another: whoever
 * asks about a transaction that uses all of it does not have it run a dozen times at once.
 * @throws DoesTooMuch, ReaderError
 */
export async function runs(reader: ChainReader, tx: AskedTransaction, block: Head): Promise<Runs> {
  const run = running(reader, tx, block);
  const [first, tried] = await Promise.all([
    run(null, USUAL_GAS).then(modest),
    Promise.all(CONDITIONS.map((name) => orNull(run(name, USUAL_GAS).then(modest)))),
  ]);
  const preview = isEnough(first) ? first : modest(await bounded(run(null, MOST_GAS)));
  const outcomes: (SimulatedOutcome | null)[] = [];
  let isOver = false;
  for (const [i, name] of CONDITIONS.entries()) {
    let outcome = tried[i] ?? null;
    if (outcome !== null && !isEnough(outcome)) {
      outcome = isOver ? null : await orNull(bounded(run(name, MOST_GAS)).then(modest));
      isOver ||= outcome === null;
    }
    outcomes.push(outcome);
  }
  return { preview, gas: preview === first ? USUAL_GAS : MOST_GAS, outcomes };
}

/**
 * The transaction by itself with all the gas that is given, where it goes by how much it has: whoever has the sender send it
 * chooses that, too. Under the conditions it keeps what it usually has, and so shows what it does with less.
 * @returns null where it does the same, and for a transfer or an approval, which costs an exchange less
 * @throws DoesTooMuch, ReaderError
 */
export async function withAllGas(
  reader: ChainReader,
  tx: AskedTransaction,
  block: Head,
  { preview, gas, outcomes }: Runs,
): Promise<Runs | null> {
  if (gas === MOST_GAS || isPlain(tx)) return null;
  const found = modest(await bounded(running(reader, tx, block)(null, MOST_GAS)));
  const isSame = found.ok && found.gasUsed === preview.gasUsed && wordsOf(found) === wordsOf(preview);
  return isSame ? null : { preview: found, gas: MOST_GAS, outcomes };
}

/** What it says of itself is all that it does, unless the token is no token. */
function isPlain({ from, to, data, value }: AskedTransaction): boolean {
  const call = decodeCall(data);
  return BigInt(value) === 0n && (intendedApproval({ from, to }, call) ?? intendedRecipient(call)) !== null;
}

const wordsOf = ({ logs }: SimulatedOutcome): string => JSON.stringify(logs);

const running =
  (reader: ChainReader, tx: AskedTransaction, block: Head) =>
  async (condition: ConditionName | null, gas: bigint): Promise<SimulatedOutcome> =>
    (await reader.simulate(conditioned(tx, block, condition, gas))).at(-1)!;

const isEnough = ({ ok, gasUsed }: SimulatedOutcome): boolean => ok && gasUsed <= USUAL_GAS / 2n;

function modest(outcome: SimulatedOutcome): SimulatedOutcome {
  if (outcome.logs.length <= MOST_LOGS) return outcome;
  throw new DoesTooMuch(`it logs more than ${MOST_LOGS} entries`);
}

async function bounded<T>(outcome: Promise<T>): Promise<T> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof ReaderError && error.cause instanceof AnswerTooLarge)
      throw new DoesTooMuch('it does more than is read');
    throw error;
  }
}

/** Null where the node did not run it, or where it does too much. */
async function orNull(outcome: Promise<SimulatedOutcome>): Promise<SimulatedOutcome | null> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof DoesTooMuch) return null;
    if (!(error instanceof ReaderError) || error.kind === 'reorganised') throw error;
    return null;
  }
}

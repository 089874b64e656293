import { AnswerTooLarge } from './bounded-answers.ts';
import { callFaultOf, type Refused } from './call-fault.ts';
import { ReaderError } from './reader.ts';

/**
 * The gas limit of an `eth_call`. No contract that is read here needs half of it, and one that burns it all costs the
 * node milliseconds. Without it each node would apply its own limit, and the same contract could fail at one node and
 * answer at another. It also bounds the size of an answer, because memory costs gas.
 */
export const CALL_GAS = 5_000_000n;

/**
 * Makes a ReaderError of a failed `eth_call`. The caller decodes what a contract reverted with.
 * @returns null when the node gave no answer at all, because the transport failed
 */
export function callError(error: unknown, refused: Refused | null): ReaderError | null {
  if (error instanceof AnswerTooLarge)
    return new ReaderError('reverted', `the contract answers more than is read: ${error.message}`);
  if (refused === null) return null;
  const cause = { cause: error };
  const said = String(refused.message);
  switch (callFaultOf(refused)) {
    case 'contract':
      return new ReaderError('reverted', `the contract failed: ${said}`, cause);
    case 'block':
      return new ReaderError('reorganised', 'the node does not have this block', cause);
    case 'node':
      return new ReaderError('down', `the node refused: ${said}`, cause);
    case 'unknown':
      return new ReaderError('down', `the node refused: ${said}`, { ...cause, unexplained: true });
  }
}

/**
 * Makes a call, and when its failure does not tell whether the contract or the node caused it, finds that out. The node
 * is asked for something else at the same block, and for the same again. When it answers the first, and refuses the
 * second in the same words, the contract is the cause.
 * @param alive a read at the same block that no contract can obstruct
 */
export async function explained<T>(call: () => Promise<T>, alive: () => Promise<unknown>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isUnexplained(error)) throw error;
    await alive();
    try {
      return await call();
    } catch (again) {
      if (!isUnexplained(again) || sameWords(again) !== sameWords(error)) throw again;
      const message = `the node answers, and does not execute this contract: ${again.message}`;
      throw new ReaderError('reverted', message, { cause: again });
    }
  }
}

function isUnexplained(error: unknown): error is ReaderError {
  return error instanceof ReaderError && error.unexplained;
}

/** Masks numbers, which differ from one error to the next: ids of requests, blocks, milliseconds. */
function sameWords({ message }: ReaderError): string {
  return message.replace(/0x[0-9a-f]+|\d+/gi, '#');
}

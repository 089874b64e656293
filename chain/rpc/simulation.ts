import { RpcRefusal } from './json-rpc.ts';
import { saysBlockMissing } from './missing-block.ts';
import { CannotSimulate, ReaderError } from './reader.ts';

/** JSON-RPC error codes of a node that does not know or does not offer a method. */
const NO_METHOD: ReadonlySet<number> = new Set([-32601, -32004]);
const UNKNOWN =
  /method.{0,40}(?:not found|not exist|not (?:supported|available|allowed|whitelisted))|unsupported method/i;

/** Whether the node does not know or not offer what it was asked. */
export function isUnknownMethod({ code, message }: RpcRefusal): boolean {
  return NO_METHOD.has(code) || UNKNOWN.test(message);
}

/** Makes of the refusal of a simulation the error that says whether the node offers it at all. */
export function simulationError(error: unknown): unknown {
  const refused = error instanceof RpcRefusal ? error : null;
  if (refused === null) return error;
  if (isUnknownMethod(refused)) return new CannotSimulate(refused);
  // The reader knows what a missing block is.
  if (saysBlockMissing(refused.message)) return error;
  const message = `the node refused the simulation: ${refused.message}`;
  return new ReaderError('down', message, { cause: refused, lasting: true });
}

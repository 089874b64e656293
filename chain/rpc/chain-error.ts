import type { Hex } from 'viem';
import { readable } from '../../agents/readable.ts';

/**
 * What became of a request to a chain.
 * - `reverted`: the contracts refused; `errorName` and `args` say why, if the refusal could be decoded.
 * - `down`: the node was not reached or refused, and nothing was sent.
 * - `slow`: a read was not answered in time.
 * - `unknown`: a transaction may or may not be on its way. Look it up by its key; never send it again without that.
 */
export type ChainErrorKind = 'reverted' | 'down' | 'slow' | 'unknown';

export class ChainError extends Error {
  override readonly name = 'ChainError';
  readonly kind: ChainErrorKind;
  readonly errorName: string | undefined;
  readonly args: readonly unknown[];
  /** The transaction, if one was signed. */
  readonly hash: Hex | undefined;
  /** The block that it was refused in, where it was mined. */
  readonly block: bigint | undefined;

  constructor(
    kind: ChainErrorKind,
    message: string,
    options: {
      errorName?: string;
      args?: readonly unknown[];
      hash?: Hex;
      block?: bigint;
      cause?: unknown;
    } = {},
  ) {
    super(readable(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.errorName = options.errorName;
    this.args = options.args ?? [];
    this.hash = options.hash;
    this.block = options.block;
  }
}

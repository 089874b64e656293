import type { Hex } from 'viem';

/**
 * What became of something asked of a chain.
 * - `reverted`: the contracts refused; `errorName` and `args` say why where the refusal could be decoded.
 * - `down`: the node was not reached or refused, and nothing was sent.
 * - `slow`: a read did not answer in time.
 * - `unknown`: a transaction may or may not be on its way. Reconcile by its key, never send it again blindly.
 */
export type ChainErrorKind = 'reverted' | 'down' | 'slow' | 'unknown';

export class ChainError extends Error {
  override readonly name = 'ChainError';
  readonly kind: ChainErrorKind;
  readonly errorName: string | undefined;
  readonly args: readonly unknown[];
  /** The transaction concerned, where one was signed. */
  readonly hash: Hex | undefined;

  constructor(
    kind: ChainErrorKind,
    message: string,
    options: { errorName?: string; args?: readonly unknown[]; hash?: Hex; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.errorName = options.errorName;
    this.args = options.args ?? [];
    this.hash = options.hash;
  }
}

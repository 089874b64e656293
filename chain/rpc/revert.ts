import { type Abi, decodeErrorResult, type Hex, isHex } from 'viem';

export interface Revert {
  /**
   * The custom error's name; `Error` for a reason string, `Panic` for a failed check; undefined when it cannot be
   * decoded.
   */
  readonly errorName: string | undefined;
  readonly args: readonly unknown[];
}

/**
 * Decodes what a contract reverted with: first by the ABI that was called, then by the others, because a refusal
 * bubbles up from the contract that raised it.
 */
export function decodeRevert(data: Hex | undefined, ...abis: readonly Abi[]): Revert {
  if (data !== undefined && data !== '0x') {
    for (const abi of abis) {
      try {
        const { errorName, args } = decodeErrorResult({ abi, data });
        return { errorName, args: args ?? [] };
      } catch {
        // The error is not in this ABI.
      }
    }
  }
  return { errorName: undefined, args: [] };
}

/** Formats a revert as one line, such as `DayCapExceeded(1, 0x…, 20)`, for logs and details. */
export function describeRevert({ errorName, args }: Revert): string {
  if (errorName === undefined) return 'the contract refused without a name';
  return `${errorName}(${args.map(String).join(', ')})`;
}

/** Nodes put revert data in `data`, `data.data` or `data.originalError.data`. */
export function revertData(data: unknown): Hex | undefined {
  if (isHex(data)) return data;
  if (typeof data !== 'object' || data === null) return undefined;
  if ('data' in data) return revertData(data.data);
  if ('originalError' in data) return revertData(data.originalError);
  return undefined;
}

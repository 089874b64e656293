import { type Abi, decodeErrorResult, type Hex, isHex } from 'viem';

export interface Revert {
  /** The custom error's name; `Error` for a reason string, `Panic` for a checked operation; undefined when unnamed. */
  readonly errorName: string | undefined;
  readonly args: readonly unknown[];
}

/**
 * Names what a contract refused with: the ABI called first, then any other that is given, because a refusal bubbles
 * up from the contract that raised it.
 */
export function decodeRevert(data: Hex | undefined, ...abis: readonly Abi[]): Revert {
  if (data !== undefined && data !== '0x') {
    for (const abi of abis) {
      try {
        const { errorName, args } = decodeErrorResult({ abi, data });
        return { errorName, args: args ?? [] };
      } catch {
        // Not an error of this ABI.
      }
    }
  }
  return { errorName: undefined, args: [] };
}

/** `DayCapExceeded(1, 0x…, 20)` as one line, for logs and details. */
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

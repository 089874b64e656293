/** One instruction of the EVM. `push` is its operand, hex; null for an instruction without one. */
export interface Instruction {
  readonly at: number;
  readonly op: number;
  readonly push: string | null;
}

export const [PUSH0, PUSH1, PUSH32, JUMPDEST] = [0x5f, 0x60, 0x7f, 0x5b] as const;

/** @param code hex with 0x, without metadata */
export function instructions(code: string): Instruction[] {
  const bare = code.slice(2).toLowerCase();
  const found: Instruction[] = [];
  for (let at = 0; at * 2 < bare.length; ) {
    const op = Number.parseInt(bare.slice(at * 2, at * 2 + 2), 16);
    const width = op >= PUSH1 && op <= PUSH32 ? op - PUSH0 : 0;
    const push = op === PUSH0 ? '' : width === 0 ? null : bare.slice(at * 2 + 2, at * 2 + 2 + width * 2);
    found.push({ at, op, push });
    at += 1 + width;
  }
  return found;
}

/** Code without the compiler's metadata: CBOR of one to four entries, with its length in the last two bytes. */
export function withoutMetadata(code: string): string {
  const bare = code.slice(2).toLowerCase();
  const length = Number.parseInt(bare.slice(-4), 16);
  const start = bare.length - 4 - 2 * length;
  const isMap = start > 0 && /^a[1-4]6[0-9a-f]/.test(bare.slice(start));
  return Number.isNaN(length) || !isMap ? `0x${bare}` : `0x${bare.slice(0, start)}`;
}

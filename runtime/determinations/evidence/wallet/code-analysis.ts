import { type Hex, keccak } from '../../../../agents/canonical.ts';
import {
  constantAddresses,
  targetsInCode,
} from '../../../../agents/determinations/wallet/code/account-code.ts';
import {
  codeShapes,
  delegates,
  holdsSelfDestruct,
} from '../../../../agents/determinations/wallet/code/code-shape.ts';
import { skeletonOf } from '../../../../agents/determinations/wallet/code/code-skeleton.ts';

/** All that code tells by itself, wherever it stands. */
export interface CodeAnalysis {
  readonly hash: Hex;
  readonly constants: readonly string[];
  readonly shapes: readonly string[];
  readonly targets: readonly { readonly to: string; readonly by: string }[];
  /** Whether it hands its calls to other code, in its own name. */
  readonly delegates: boolean;
  readonly destroysItself: boolean;
  /** Null where it is too short to tell one contract from another. */
  readonly skeleton: string | null;
}

/** Characters of code that are kept: some 300 large contracts. */
const MOST_KEPT = 16_000_000;

const kept = new Map<string, CodeAnalysis>();
let size = 0;

/**
 * Analyses code, the same code once: popular tokens are asked about again and again. It is known by its whole text, so
 * that no reader can be given the analysis of other code than it read.
 * @param code hex with 0x
 */
export function analysed(code: Hex): CodeAnalysis {
  const known = kept.get(code);
  if (known !== undefined) return known;
  const found: CodeAnalysis = {
    hash: keccak(Buffer.from(code.slice(2), 'hex')),
    constants: constantAddresses(code),
    shapes: codeShapes(code),
    targets: targetsInCode(code),
    delegates: delegates(code),
    destroysItself: holdsSelfDestruct(code),
    skeleton: skeletonOf(code),
  };
  kept.set(code, found);
  size += code.length;
  for (const oldest of kept.keys()) {
    if (size <= MOST_KEPT) break;
    kept.delete(oldest);
    size -= oldest.length;
  }
  return found;
}

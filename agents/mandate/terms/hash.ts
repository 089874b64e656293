import { documentHash, type Hex } from '../../canonical.ts';
import type { Mandate } from './schema.ts';

/**
 * The hash that goes on chain and into the owner's signature: keccak-256 over the canonical JSON (RFC 8785) of
 * the structured mandate. The prose is not hashed, so two texts that read the same carry the same hash.
 */
export function mandateHash(mandate: Mandate): Hex {
  return documentHash(mandate);
}

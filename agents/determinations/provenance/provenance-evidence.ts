import type { RegisterState } from '../panel/lists.ts';
import type { TokenCustody } from './custody.ts';

/** One look-up in a register that others keep. */
export interface RegisterLookup {
  readonly register: 'stolen' | 'recalled';
  /** Who was asked: host and port. */
  readonly name: string;
  readonly key: string;
  /** ISO 8601: the state the answer shows. */
  readonly asOf: string;
  /** Null where there was no answer, or none that can be read. */
  readonly answer: 'listed' | 'not-listed' | null;
  /** What they call the entry, where it is listed. */
  readonly reference: string | null;
  readonly fault: string | null;
}

/** A provenance determination's shared facts. What earlier releases kept has `assetKey` and `stolen` alone. */
export interface ProvenanceCommon {
  /** As it was asked about. */
  readonly assetKey: string;
  /** The lot it is: a certificate's is its serial's. */
  readonly lot?: string;
  /** Where its chain's readers do not agree on that: every key that one of them said. */
  readonly lots?: readonly string[];
  readonly stolen: RegisterState;
  readonly recalled?: RegisterState;
  readonly lookups?: readonly RegisterLookup[];
  /** Everybody in the chain of custody, in every reading, looked up. */
  readonly sanctions?: RegisterState;
  readonly knownScam?: RegisterState;
  /** The chain on which custody is read, CAIP-2. */
  readonly chain?: string;
}

/** What one seat read of who held it. */
export interface ProvenanceFacts {
  /** The asset key that this seat's reader says it stands for. Absent where that is known without asking. */
  readonly lot?: string | null;
  /** One life of a token each; empty where none stands, or ever stood, for it. Absent in what earlier releases kept. */
  readonly custody?: readonly TokenCustody[] | null;
  /** Why it is null. */
  readonly fault?: string | null;
}

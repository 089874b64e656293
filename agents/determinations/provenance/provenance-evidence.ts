import type { DisputeState, Ruling } from '../../certificates/dispute.ts';
import type { ContractList, LineageToken } from '../lineage/lineage.ts';
import type { RegisterState } from '../panel/lists.ts';
import type { TokenCustody } from './custody.ts';

/** So many disputes beside those that are weighed are counted; of more it is told that they are more. */
export const MOST_DISPUTES_COUNTED = 1_000;

/** One look-up in a register that somebody else keeps. */
export interface RegisterLookup {
  readonly register: 'stolen' | 'recalled';
  /** Who was asked: host and port. */
  readonly name: string;
  readonly key: string;
  /** ISO 8601: the date of the state that the answer shows. */
  readonly asOf: string;
  /** Null when there was no answer, or one that cannot be read. */
  readonly answer: 'listed' | 'not-listed' | null;
  /** The register's own reference for the entry, when it is listed. */
  readonly reference: string | null;
  readonly fault: string | null;
}

/** A provenance determination's shared facts. Evidence of earlier releases has only `assetKey` and `stolen`. */
export interface ProvenanceCommon {
  /** The key that the request used. */
  readonly assetKey: string;
  /** The key of its lot: for a certificate, the lot of its serial. */
  readonly lot?: string;
  /**
   * Every key under which something about it may stand, where there are others than these two: where its readers do not
   * agree on the lot, of its lineage, and of the tokens by which a name is given out.
   */
  readonly lots?: readonly string[];
  /** The version of the rules for serials; absent in evidence of earlier releases, which is version 1. */
  readonly serialRules?: 2;
  /** Keys that may be of the same thing, and may be of another; absent where there is none. */
  readonly vague?: readonly string[];
  readonly stolen: RegisterState;
  readonly recalled?: RegisterState;
  readonly lookups?: readonly RegisterLookup[];
  /** Everybody in the chain of custody, in every reading, looked up on the lists. */
  readonly sanctions?: RegisterState;
  readonly knownScam?: RegisterState;
  /** The chain on which custody is read, CAIP-2. */
  readonly chain?: string;
  /** What is disputed of the certificates that stand or stood for it; absent where there is none, and in evidence of before. */
  readonly disputes?: readonly CertificateDispute[];
  /**
   * How many there are beside these, none of which counts for more; absent where there is none, and in evidence of before.
   * {@link MOST_DISPUTES_COUNTED} and one stand for any larger number.
   */
  readonly moreDisputes?: number;
  /**
   * The version of the rules for disputes; absent in evidence of before, which told only of the walked certificates' own
   * and let go of them with these. 2 counts those of every certificate of the thing, in any spelling of its serial.
   */
  readonly disputeRules?: 2;
  /**
   * The version of the rules for editions (ERC-1155); absent in evidence of before, in which a unit spoke for all. 2 took
   * what was minted after units were burnt for other units.
   */
  readonly editionRules?: 2 | 3;
  /** In a deal, a disclosure of somebody who never held the certificate is told and stops nothing. */
  readonly scope?: 'deal';
  /** The lists of contracts by which its lineage was followed; absent where none concerns its chain. */
  readonly contracts?: readonly ContractList[];
}

/** A dispute of a certificate as it stood. */
export interface CertificateDispute {
  readonly disputeId: string;
  /** The certificate's, decimal. */
  readonly tokenId: string;
  /** Who disputes it, lower case. */
  readonly by: string;
  readonly state: DisputeState;
  /** The latest decision; null while there is none. */
  readonly ruling: Ruling | null;
  /** ISO 8601. */
  readonly filedAt: string;
  /** Whether it ended with its certificate. */
  readonly closed: boolean;
}

/** A certificate that lives, under another key than that of the thing in question. */
export interface EarlierCertificate {
  /** Decimal. */
  readonly tokenId: string;
  /** The key for which it stands. */
  readonly on: string;
  /** Who has it, lower case. */
  readonly holder: string;
  /** In which it was issued, decimal. */
  readonly block: string;
}

/** What one seat read about custody. */
export interface ProvenanceFacts {
  /**
   * The asset key for which the token stands, according to this seat's reader. Absent when it is known without asking.
   */
  readonly lot?: string | null;
  /**
   * One entry for each life of a token; empty when no token stands, or ever stood, for it. Absent in evidence of
   * earlier releases.
   */
  readonly custody?: readonly TokenCustody[] | null;
  /**
   * Certificates of the same number under other keys of which a dispute was upheld; absent where there is none, and in
   * evidence of before.
   */
  readonly alike?: readonly TokenCustody[];
  /**
   * Certificates under other keys that live, were issued before its own, and may stand for the same thing; absent where there
   * is none, and in evidence of before.
   */
  readonly earlier?: readonly EarlierCertificate[];
  /** How many more there may be, which were not read; absent where there is none, and in evidence of before. */
  readonly earlierUnread?: number;
  /** The tokens of its lineage; absent where no list of contracts concerns its chain, and in evidence of before. */
  readonly lineage?: readonly LineageToken[];
  /** Why `custody` is null. */
  readonly fault?: string | null;
}

import type { Logger } from 'pino';
import type { Address } from 'viem';
import type { Hex } from '../agents/canonical.ts';
import type { RecordTypedData } from '../agents/records/eip712.ts';
import type { SnapshotTypedData } from '../agents/registers/list-snapshot.ts';
import type { SessionKeys } from '../chain/clients/session-keys.ts';
import type { Settle } from '../chain/clients/settle-together.ts';
import type { Deployment } from '../chain/deploy/deployment.ts';
import type { Signer } from '../chain/tx/signer.ts';
import type { Database } from '../store/database.ts';
import type { SignerFacts } from './chain-sync/signer-watch.ts';
import type { CardGateway } from './checkout/card-gateway.ts';
import type { Config } from './config/config.ts';
import type { ChainReaders, EvidenceDeps } from './determinations/deps.ts';
import type { Restater } from './determinations/models/restate.ts';
import type { Quarantine } from './durable/isolation/quarantine.ts';
import type { Notifier } from './durable/queue/notifier.ts';
import type { RoleFacts } from './keys/own-roles.ts';
import type { VerdictKey } from './records/portable/verdict-key.ts';
import type { SecretBox } from './webhooks/secret-box.ts';

/** The last step inside a transaction on behalf of a caller: throws when the caller was told already that time is up. */
export type LastCall = () => void;

export type SignTypedData = (data: RecordTypedData) => Promise<Hex>;

/** The chain on which agents are minted and deals settle. */
export const HOME_CHAIN = 1002;

/** One chain as the service uses it. */
export interface ChainAccess {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly deployment: Deployment;
  readonly readers: ChainReaders;
  /** Issues certificates, takes listings back and relays owners' acts: guardian and issuer on chain. */
  readonly operator: Signer;
  /** Mints agents, anchors roots, settles deals: the operator's own signer where it has no key of its own. */
  readonly minter: Signer;
  readonly recorder: Signer;
  readonly settlement: Signer;
  /** Settles deals by that signer, several of one moment in one transaction. */
  readonly settle: Settle;
  /** Settles x402 payments, and pays the gas for it. Null where another facilitator does. */
  readonly facilitator: Signer | null;
  /** Each of these once. */
  readonly signers: readonly Signer[];
  /** How much gas money they hold: the latest reading, never waited for. */
  readonly funds: () => Promise<readonly SignerFacts[]>;
  /** Whether its keys hold their roles there, on the chain of agents and records; none elsewhere. Never waited for. */
  readonly roles: () => Promise<readonly RoleFacts[]>;
}

/** Everything the acts and effects need, built once by the composition root and passed in. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  readonly notifier: Notifier;
  /** Where periodic tasks put what fails, so that it stops only itself. */
  readonly quarantine: Quarantine;
  readonly home: ChainAccess;
  readonly chains: ReadonlyMap<number, ChainAccess>;
  readonly evidence: EvidenceDeps;
  /** Proposes readings of mandates that the grammar asks about; null or left out: no model is configured. */
  readonly restater?: Restater | null;
  readonly sessionKeys: SessionKeys;
  readonly card: CardGateway;
  readonly signRecord: SignTypedData;
  /** By the same key. */
  readonly signLists: (data: SnapshotTypedData) => Promise<Hex>;
  readonly recordSigner: Address;
  /** Signs verdicts that are carried elsewhere, their status lists, offers and receipts. */
  readonly verdictKey: VerdictKey;
  /** Under which the secrets of webhooks are kept. */
  readonly webhookSecretBox: SecretBox;
  /** Under which owners are given the places where their lists go on. */
  readonly cursorSecretBox: SecretBox;
  readonly now: () => Date;
  /** A fresh id nobody can guess, such as `deal_…`. */
  readonly newId: (prefix: string) => string;
  readonly log: Logger;
  /** A named point at which a test may end the process; does nothing otherwise. */
  readonly crash: (point: string) => void;
}

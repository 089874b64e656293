import { judge } from '../../agents/determinations/panel/judge.ts';
import { hardIn, rollUpWallet } from '../../agents/determinations/panel/rollup.ts';
import type {
  Depth,
  Performer,
  RecordEvidence,
  Recorded,
  WalletRecord,
} from '../../agents/determinations/panel/types.ts';
import {
  askedTransaction,
  type TransactionRequest,
} from '../../agents/determinations/transaction/transaction-request.ts';
import { readAddress } from '../../agents/determinations/wallet/address.ts';
import type { Contacts } from '../../agents/determinations/wallet/look-alike/look-alike.ts';
import { badField } from '../../agents/errors.ts';
import { askModels } from './ask-models.ts';
import { type EvidenceDeps, spentBy } from './deps.ts';
import { gatherWallet } from './evidence/wallet/wallet.ts';
import type { WalletQuestion } from './wallet-question.ts';

interface WalletRequest {
  readonly address: string;
  readonly chainId?: number | undefined;
  /** Null for an EXECUTOR, and for nobody else. */
  readonly depth: Depth | null;
  readonly performer?: Performer;
  /** The wallet that asks, lower case. The record does not name it. */
  readonly asker?: string;
  /** What the asker is to send; on the chain that is named. */
  readonly transaction?: TransactionRequest | undefined;
  /** A URL or a host. */
  readonly origin?: string | undefined;
  /** In an appeal: the contacts of the first asker, as the first record kept them. */
  readonly contacts?: Contacts | undefined;
}

export interface WalletAnswer {
  readonly record: WalletRecord;
  readonly evidence: RecordEvidence;
  /** The address in the spelling of registers and records. */
  readonly subject: string;
  /** Ids of the checks that raised a hard flag; the platform history keeps them. */
  readonly hardFlags: readonly string[];
  /** Whether the record is filed: only if the subject chain can be named. */
  readonly filing: 'file' | Extract<Recorded, { filed: false }>['reason'];
}

/** EIP-2294: no EVM chain has a larger id. */
const MAX_CHAIN_ID = 4_503_599_627_370_476;

/**
 * Determines on one counterparty address: reads, judges, and makes the record. What cannot be read is INCONCLUSIVE in
 * the answer, never an error.
 * @throws AppError address-malformed; bad-request for a `chainId` on a Solana address, a depth on an EXECUTOR, a transaction
 *   without a chain, or an origin that is none
 */
export async function determineWallet(deps: EvidenceDeps, request: WalletRequest): Promise<WalletAnswer> {
  const address = readAddress(request.address);
  const chainId = request.chainId ?? null;
  const performer = request.performer ?? 'AGENT';
  if (address.type === 'solana' && chainId !== null) {
    throw badField('chainId', 'leave it out for a Solana address: its chain is named solana');
  }
  requireDepth(performer, request.depth);
  const { asker } = request;
  const evidence = await askModels(
    asker === undefined ? deps : spentBy(deps, { kind: 'payer', name: asker }),
    await gatherWallet(deps, {
      ...{ address, chainId, depth: request.depth, performer },
      ...(request.transaction === undefined
        ? {}
        : { transaction: askedTransaction(request.transaction, chainId) }),
      ...(request.origin === undefined ? {} : { origin: request.origin }),
      ...comparedIn(request),
    }),
  );
  const determination = judge(evidence);
  return {
    record: rollUpWallet(determination),
    evidence: { kind: 'wallet', determinations: [evidence] },
    subject: address.key,
    hardFlags: hardIn(determination),
    filing: address.type === 'solana' ? 'file' : filingOf(chainId),
  };
}

function comparedIn({ asker, contacts }: WalletRequest): Pick<WalletQuestion, 'compared'> {
  if (contacts !== undefined) return { compared: { kept: contacts } };
  return asker === undefined ? {} : { compared: { asker, named: false } };
}

function filingOf(chainId: number | null): WalletAnswer['filing'] {
  if (chainId === null) return 'chain-not-named';
  return Number.isSafeInteger(chainId) && chainId > 0 && chainId <= MAX_CHAIN_ID ? 'file' : 'chain-not-known';
}

/** An EXECUTOR has no depth, and an AGENT always has one; the service guesses neither. */
export function requireDepth(performer: Performer, depth: Depth | null): void {
  if (performer === 'EXECUTOR' && depth !== null)
    throw badField('depth', 'an EXECUTOR has no depth: leave it out');
  if (performer === 'AGENT' && depth === null)
    throw badField('depth', 'must be 1-of-1, 2-of-2 or superconsensus');
}

import type { Recorded } from '../../agents/determinations/panel/types.ts';
import type { SignedRecord } from '../../store/records/records.ts';
import { signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';
import type { TierAnswer } from './determine-tier.ts';
import type { WalletAnswer } from './determine-wallet.ts';
import { tierDraft, walletDraft, withRecorded } from './drafts.ts';

/** An answer that says where its record is, and the record itself, which is not filed yet. */
interface Filed {
  readonly answer: object;
  readonly record?: SignedRecord;
  /** Filed nowhere; only its payer gets it. */
  readonly private?: true;
}

/**
 * Prepares a stranger's wallet determination for filing, if its subject chain can be named; the answer says whether it
 * is filed.
 */
export async function fileWallet(services: Services, answer: WalletAnswer): Promise<Filed> {
  const recordId = services.newId('rec');
  const answered = withRecorded(answer, {
    recordId,
    baseUrl: services.config.baseUrl,
    ledger: ledgerOf(services),
  });
  if (answer.filing !== 'file') return { answer: answered, private: true };
  const record = await signRecord(services.signRecord, {
    ...walletDraft(answer, { recordId, issuedAt: services.now() }),
    handle: null,
  });
  return { answer: answered, record };
}

/** Prepares a tier evaluation for filing. */
export async function fileTier(services: Services, answer: TierAnswer): Promise<Filed> {
  const recordId = services.newId('rec');
  const record = await signRecord(services.signRecord, {
    ...tierDraft(answer, { recordId, issuedAt: services.now() }),
    handle: null,
  });
  const recorded: Recorded = {
    filed: true,
    recordId,
    recordUrl: `${services.config.baseUrl}/records/${recordId}`,
    ledger: { ...ledgerOf(services), state: 'inscribing' },
  };
  return { answer: { ...answer.record, recorded }, record };
}

function ledgerOf({ home }: Services): { chainId: number; contract: string } {
  return { chainId: home.chainId, contract: home.deployment.ledger };
}

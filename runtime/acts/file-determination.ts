import type { Recorded } from '../../agents/determinations/types.ts';
import { insertRecord } from '../../store/records.ts';
import type { TierAnswer } from '../evidence/determine-tier.ts';
import type { WalletAnswer } from '../evidence/determine-wallet.ts';
import { tierDraft, walletDraft, withRecorded } from '../evidence/drafts.ts';
import { signRecord } from '../records.ts';
import type { Services } from '../services.ts';

/** Files a stranger's wallet determination where its subject chain can be named, and says whether it was filed. */
export async function fileWallet(services: Services, answer: WalletAnswer) {
  const recordId = services.newId('rec');
  const answered = withRecorded(answer, {
    recordId,
    baseUrl: services.config.baseUrl,
    ledger: ledgerOf(services),
  });
  if (answer.filing === 'file') {
    const signed = await signRecord(services.signRecord, {
      ...walletDraft(answer, { recordId, issuedAt: services.now() }),
      handle: null,
    });
    await services.db.transaction().execute((trx) => insertRecord(trx, signed));
  }
  return answered;
}

/** Files a tier evaluation. */
export async function fileTier(services: Services, answer: TierAnswer) {
  const recordId = services.newId('rec');
  const signed = await signRecord(services.signRecord, {
    ...tierDraft(answer, { recordId, issuedAt: services.now() }),
    handle: null,
  });
  await services.db.transaction().execute((trx) => insertRecord(trx, signed));
  const recorded: Recorded = {
    filed: true,
    recordId,
    recordUrl: `${services.config.baseUrl}/records/${recordId}`,
    ledger: { ...ledgerOf(services), state: 'inscribing' },
  };
  return { ...answer.record, recorded };
}

function ledgerOf({ home }: Services): { chainId: number; contract: string } {
  return { chainId: home.chainId, contract: home.deployment.ledger };
}

import { type TSchema, Type } from 'typebox';
import type { DeterminationId } from '../determinations/panel/types.ts';
import { MandateCommon, MandateFacts, ShillDeal, ShillFacts, ShillLot } from './forms/deal-forms.ts';
import {
  PledgeCommon,
  PledgeFacts,
  PriceCommon,
  ProvenanceCommon,
  ProvenanceFacts,
} from './forms/goods-forms.ts';
import { closed } from './forms/parts.ts';
import { WalletCommon, WalletFacts } from './forms/wallet-forms.ts';

/** The form of what seats share, and of what each of them read, by determination and scope. */
export function evidenceForms(
  id: DeterminationId,
  common: Readonly<Record<string, unknown>>,
): { readonly common: TSchema; readonly facts: TSchema } {
  switch (id) {
    case 'wallet':
      return { common: WalletCommon, facts: WalletFacts };
    case 'double-pledge':
      return { common: PledgeCommon, facts: PledgeFacts };
    case 'price-intelligence':
      return { common: PriceCommon, facts: Type.Object({}, closed) };
    case 'provenance':
      return { common: ProvenanceCommon, facts: ProvenanceFacts };
    case 'mandate-compliance':
      return { common: MandateCommon, facts: MandateFacts };
    case 'shill-collusion':
      return common.scope === 'deal'
        ? { common: ShillDeal, facts: ShillFacts }
        : { common: ShillLot, facts: Type.Object({}, closed) };
  }
}

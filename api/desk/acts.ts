import type { DeskAct, DeskGroup } from './act.ts';
import { AGENT_ACTS } from './agent-acts.ts';
import { EVALUATE } from './evaluate-act.ts';
import { GOODS_ACTS } from './goods-acts.ts';
import { NAME_ACTS } from './name-acts.ts';
import { BRING, CHECK } from './paid-acts.ts';
import { TRADE_ACTS } from './trade-acts.ts';
import { WALLET_ACTS } from './wallet-acts.ts';
import { WEBHOOK_ACTS } from './webhook-acts.ts';

/** What an owner can do from a page, in the order of a day's work. */
export const DESK_GROUPS: readonly DeskGroup[] = [
  { title: 'Deals and orders', acts: [CHECK, EVALUATE, ...TRADE_ACTS] },
  { title: 'Things', acts: GOODS_ACTS },
  { title: 'Names', acts: NAME_ACTS },
  { title: 'An agent', acts: [BRING, ...AGENT_ACTS] },
  { title: 'You', acts: WALLET_ACTS },
  { title: 'News for your programs', acts: WEBHOOK_ACTS },
];

export const DESK_ACTS: readonly DeskAct[] = DESK_GROUPS.flatMap(({ acts }) => acts);

export function deskAct(id: string): DeskAct | null {
  return DESK_ACTS.find((act) => act.id === id) ?? null;
}

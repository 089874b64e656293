import { AGENT_COMMANDS } from './agent-commands.ts';
import type { DeskCommand, DeskGroup } from './command.ts';
import { DISPUTE_COMMANDS } from './dispute-commands.ts';
import { EVALUATE } from './evaluate-command.ts';
import { GOODS_COMMANDS } from './goods-commands.ts';
import { NAME_COMMANDS } from './name-commands.ts';
import { BRING, CHECK } from './paid-commands.ts';
import { TRADE_COMMANDS } from './trade-commands.ts';
import { WALLET_COMMANDS } from './wallet-commands.ts';
import { WEBHOOK_COMMANDS } from './webhook-commands.ts';

/** The commands on the desk, in the order of a day's work. */
export const DESK_GROUPS: readonly DeskGroup[] = [
  { title: 'Deals and orders', commands: [CHECK, EVALUATE, ...TRADE_COMMANDS] },
  { title: 'Things', commands: [...GOODS_COMMANDS, ...DISPUTE_COMMANDS] },
  { title: 'Names', commands: NAME_COMMANDS },
  { title: 'An agent', commands: [BRING, ...AGENT_COMMANDS] },
  { title: 'You', commands: WALLET_COMMANDS },
  { title: 'News for your programs', commands: WEBHOOK_COMMANDS },
];

export const DESK_COMMANDS: readonly DeskCommand[] = DESK_GROUPS.flatMap(({ commands }) => commands);

export function deskCommand(id: string): DeskCommand | null {
  return DESK_COMMANDS.find((command) => command.id === id) ?? null;
}

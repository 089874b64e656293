import { GROUPS } from '../words/desk/fields.ts';
import { AGENT_COMMANDS } from './agent-commands.ts';
import type { DeskCommand, DeskGroup } from './command.ts';
import { DISPUTE_COMMANDS } from './dispute-commands.ts';
import { EVALUATE } from './evaluate-command.ts';
import { GOODS_COMMANDS } from './goods-commands.ts';
import { NAME_COMMANDS } from './name-commands.ts';
import { CHECK, NEW_AGENT } from './paid-commands.ts';
import { TRADE_COMMANDS } from './trade-commands.ts';
import { WALLET_COMMANDS } from './wallet-commands.ts';
import { WEBHOOK_COMMANDS } from './webhook-commands.ts';

/** The commands on the desk, in the order of a day's work. */
export const DESK_GROUPS: readonly DeskGroup[] = [
  { title: GROUPS.trade, commands: [CHECK, EVALUATE, ...TRADE_COMMANDS] },
  { title: GROUPS.things, commands: [...GOODS_COMMANDS, ...DISPUTE_COMMANDS] },
  { title: GROUPS.names, commands: NAME_COMMANDS },
  { title: GROUPS.agent, commands: [NEW_AGENT, ...AGENT_COMMANDS] },
  { title: GROUPS.you, commands: WALLET_COMMANDS },
  { title: GROUPS.webhooks, commands: WEBHOOK_COMMANDS },
];

export const DESK_COMMANDS: readonly DeskCommand[] = DESK_GROUPS.flatMap(({ commands }) => commands);

export function deskCommand(id: string): DeskCommand | null {
  return DESK_COMMANDS.find((command) => command.id === id) ?? null;
}

import type { Choices } from '../../agents/deal/effect.ts';
import { type Address, lowerAddress, sameAddress } from '../../agents/ids.ts';
import { readAgentOwner } from '../../chain/clients/agents.ts';
import { ultimateOwnerOf } from '../../chain/clients/ultimate-owner.ts';
import type { AgentRow, MandateRow } from '../../store/agent/agents.ts';
import type { Holder } from '../../store/agent/beneficial-owners.ts';
import { type OwnerSettings, settingsOfEach } from '../../store/agent/settings.ts';
import type { Services } from '../services.ts';

/**
 * What an agent's owner chose, for the wallet that owns the agent on chain. A mandate counts only if that wallet is
 * recorded as the agent's owner and the agent is active. Otherwise, after a sale, the terms of the previous owner would
 * apply to the new one.
 * @param owner who owns it on chain now
 * @param settings those of that wallet, chosen by whoever stands behind it now
 * @param mandate the agent's mandate in force
 */
export function choicesOf(
  agent: Pick<AgentRow, 'owner' | 'status'>,
  owner: string,
  settings: OwnerSettings,
  mandate: Pick<MandateRow, 'version' | 'structured'> | null,
): Choices {
  const wallet = lowerAddress(owner);
  const own = agent.status === 'active' && sameAddress(agent.owner, wallet);
  return {
    wallet,
    ...settings,
    mandate:
      own && mandate !== null
        ? { version: mandate.version, onInconclusive: mandate.structured.on_inconclusive ?? {} }
        : null,
  };
}

/**
 * As {@link choicesOf} for each of these agents, in their order, with the owners and the settings read now.
 * @throws ReaderError; the effect is then retried
 */
export async function readChoices(
  { db, home }: Services,
  agents: readonly { readonly agent: AgentRow; readonly mandate: MandateRow | null }[],
): Promise<Choices[]> {
  if (agents.length === 0) return [];
  const { readers, deployment } = home;
  const { number } = await readers.viem.head();
  const holders = await Promise.all(
    agents.map(async ({ agent }): Promise<Holder> => {
      const reading = readAgentOwner(readers.viem, deployment, agent.token_id, number);
      const beneficialOwner = await ultimateOwnerOf(readers.viem, reading, agent.owner as Address, number);
      return { wallet: lowerAddress(await reading), beneficialOwner };
    }),
  );
  const settings = await settingsOfEach(db, holders);
  return agents.map(({ agent, mandate }, i) => choicesOf(agent, holders[i]!.wallet, settings[i]!, mandate));
}

import { parseUsd } from '../../money.ts';
import { chainNameOf } from '../terms/chains.ts';
import type { Mandate } from '../terms/schema.ts';
import { caps, counts, prices } from './compliance-limits.ts';
import {
  check,
  type MandateCheck,
  type MandateFacts,
  type MandateJudgement,
  type MandateProposal,
} from './proposal.ts';

/**
 * Holds a proposal against every clause the mandate has, one check a clause; clauses it lacks are not listed.
 * One micro-dollar over a limit is a FLAG. A clause that the proposal alone breaks is a FLAG whatever could not
 * be read; a clause that needs a live fact which is null is INCONCLUSIVE.
 *
 * Caps bind the side of the proposal: purchases are measured against what the chain would still let the account
 * spend, sales against what the agent has sold. Amounts in flight on the same side count as gone from every window and
 * from the total; the cap of one deal is left as it is.
 */
export function judgeMandate(
  mandate: Mandate,
  proposal: MandateProposal,
  facts: MandateFacts,
): MandateJudgement {
  const checks = [
    ...scope(mandate, proposal, facts),
    ...caps(mandate, proposal, facts),
    ...prices(mandate, proposal, facts),
    ...counts(mandate, facts),
    ...clean(mandate, facts),
  ];
  const above =
    mandate.approval_above !== undefined &&
    proposal.priceMicro > parseUsd(mandate.approval_above, 'approval_above');
  return { checks, needsApproval: above };
}

function scope(mandate: Mandate, proposal: MandateProposal, facts: MandateFacts): MandateCheck[] {
  const checks: MandateCheck[] = [
    check(
      'side',
      mandate.side === 'both' || mandate.side === proposal.side,
      `The proposal is to ${proposal.side}; the mandate is to ${mandate.side === 'both' ? 'buy and sell' : mandate.side}.`,
      mandate.side,
    ),
    check('window', inWindow(mandate, proposal.at), ...windowWords(mandate, proposal.at)),
  ];
  if (mandate.categories_allow || mandate.categories_deny) {
    const allowed = mandate.categories_allow?.includes(proposal.category) ?? true;
    const denied = mandate.categories_deny?.includes(proposal.category) ?? false;
    checks.push(
      check(
        'category',
        allowed && !denied,
        `The goods are ${proposal.category}.`,
        listWords(mandate.categories_allow, mandate.categories_deny),
      ),
    );
  }
  if (mandate.chains_allow || mandate.chains_deny) {
    const chain = proposal.chainId === undefined ? null : chainNameOf(proposal.chainId);
    const passes =
      chain === null
        ? null
        : (mandate.chains_allow?.includes(chain) ?? true) && !(mandate.chains_deny?.includes(chain) ?? false);
    checks.push(
      check(
        'chain',
        passes,
        chain === null ? 'The proposal names no chain.' : `The deal is on ${chain}.`,
        listWords(mandate.chains_allow, mandate.chains_deny),
      ),
    );
  }
  if (mandate.counterparties_allow || mandate.counterparties_deny)
    checks.push(counterparty(mandate, proposal, facts));
  return checks;
}

function counterparty(mandate: Mandate, proposal: MandateProposal, facts: MandateFacts): MandateCheck {
  const limit = listWords(mandate.counterparties_allow, mandate.counterparties_deny);
  if (proposal.counterparty === undefined)
    return check('counterparty', null, 'The proposal names no counterparty.', limit);
  const other = partyKey(proposal.counterparty, facts);
  const denied = contains(mandate.counterparties_deny ?? [], proposal.counterparty, other, facts);
  const allowed =
    mandate.counterparties_allow === undefined
      ? true
      : contains(mandate.counterparties_allow, proposal.counterparty, other, facts);
  if (denied === true || allowed === false)
    return check(
      'counterparty',
      false,
      `${proposal.counterparty} is ${denied ? 'denied' : 'not on the list allowed'}.`,
      limit,
    );
  if (denied === null || allowed === null)
    return check('counterparty', null, 'A name on the list could not be resolved.', limit);
  return check('counterparty', true, `${proposal.counterparty} is allowed.`, limit);
}

/** Whether a party is told by a name such as alice.eth, which has to be resolved: no address and no handle has a dot. */
export function isName(party: string): boolean {
  return party.includes('.');
}

/** An address as it is compared: EVM lower case, Solana as written; a name by what it resolves to, or null. */
function partyKey(party: string, facts: MandateFacts): string | null {
  if (isName(party)) return facts.names[party.toLowerCase()] ?? null;
  return party.startsWith('0x') ? party.toLowerCase() : party;
}

/** Whether a list holds the party; null when a name on either side keeps that from being known. */
function contains(
  list: readonly string[],
  party: string,
  key: string | null,
  facts: MandateFacts,
): boolean | null {
  if (list.includes(party.toLowerCase())) return true;
  const keys = list.map((entry) => partyKey(entry, facts));
  if (key !== null && keys.includes(key)) return true;
  return list.length > 0 && (key === null || keys.includes(null)) ? null : false;
}

function inWindow(mandate: Mandate, at: string): boolean {
  const now = Date.parse(at);
  return (
    now <= Date.parse(mandate.expires_at) &&
    (mandate.not_before === undefined || now >= Date.parse(mandate.not_before))
  );
}

function windowWords(mandate: Mandate, at: string): [string, string] {
  const from = mandate.not_before === undefined ? '' : `from ${mandate.not_before} `;
  return [`The proposal is of ${at}.`, `${from}until ${mandate.expires_at}`];
}

function listWords(allow?: readonly string[], deny?: readonly string[]): string {
  return [allow && `only ${allow.join(', ')}`, deny && `never ${deny.join(', ')}`].filter(Boolean).join('; ');
}

function clean(mandate: Mandate, facts: MandateFacts): MandateCheck[] {
  return (mandate.require_clean ?? []).map((name) => {
    const verdict = facts.verdicts[name];
    const passes = verdict === 'CLEAN' ? true : verdict === 'FLAGGED' ? false : null;
    return check(`clean-${name}`, passes, `The ${name} determination is ${verdict ?? 'not there'}.`, 'CLEAN');
  });
}

import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../agents/ids.ts';
import { beneficialOwner, readOwned, requireAgent } from '../../runtime/agent/live-agent.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import type { Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';

/** The query parameter with which an earlier owner reads what happened during his ownership. */
export const formerOwner = Type.Optional(
  Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description: 'an earlier owner, who signs: what happened in his time. Left out: the owner now',
  }),
);

/**
 * Requires a signature for reading the private part of an agent's past: of the present owner, or of the wallet that the
 * query names.
 * @returns whose time may be shown, lower case: the present beneficial owner, or that wallet
 * @throws AppError not-found; as RequireOwner; not-owner when the agent moved during the check; unavailable
 */
export async function readOwnTime(
  services: Services,
  requireOwner: RequireOwner,
  request: Request,
  asked: { readonly handle: string; readonly statement: string; readonly owner?: string | undefined },
): Promise<string> {
  const { handle, statement } = asked;
  const agent = await requireAgent(services, handle);
  if (asked.owner !== undefined) {
    const wallet = lowerAddress(asked.owner as Address);
    await requireOwner(request, {
      ...{ wallet, chainId: HOME_CHAIN },
      statement: `${statement}, of the time when it was mine`,
    });
    return wallet;
  }
  const wallet = readOwned(services, agent).then(({ chain }) => lowerAddress(chain.owner));
  await requireOwner(request, { wallet, statement, chainId: HOME_CHAIN });
  // Read after the signature was verified: when an account owns the agent, whoever holds that account can change
  // meanwhile.
  const owned = await readOwned(services, agent);
  if (request.signedBy === null || !sameAddress(owned.chain.owner, request.signedBy as Address))
    throw new AppError('not-owner', `"${handle}" moved while the signature was looked at.`);
  return await beneficialOwner(services, owned);
}

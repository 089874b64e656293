import { Type } from 'typebox';
import { pauseAllWords, readSessionWords } from '../../agents/agent/agent-words.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { beneficialOwnerOf } from '../../runtime/agent/live-agent.ts';
import { pauseAll } from '../../runtime/agent/owner-acts/pause-all.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { EvmAddress, Handle, OWNER_PROBLEMS, ownerSigned, problems, Time } from '../schemas.ts';

const Paused = Type.Object({
  wallet: EvmAddress,
  paused: Type.Array(Handle),
  refused: Type.Array(Type.Object({ handle: Handle, reason: Type.String() }), {
    description: 'agents that were not paused, and why',
  }),
});

/** Acts on all agents of a wallet at once, and the session in which their owner reads. */
export function ownerWideRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/agents/pause',
    {
      schema: {
        operationId: 'agents-pause',
        summary: 'Pause every agent of a wallet at once; each may then be paused on chain, too',
        security: ownerSigned,
        tags: ['owners'],
        body: Type.Object({ wallet: EvmAddress }, { additionalProperties: false }),
        response: { 200: Paused, ...problems(...OWNER_PROBLEMS) },
      },
    },
    async (request) => {
      const wallet = lowerAddress(request.body.wallet);
      await requireOwner(request, { wallet, statement: pauseAllWords(), chainId: HOME_CHAIN });
      const outcomes = await pauseAll(services, wallet, request.lastCall);
      return {
        wallet,
        paused: outcomes.flatMap(({ handle, reason }) => (reason === null ? [handle] : [])),
        refused: outcomes.flatMap(({ handle, reason }) => (reason === null ? [] : [{ handle, reason }])),
      };
    },
  );

  app.post(
    '/read-sessions',
    {
      schema: {
        operationId: 'read-session',
        summary: 'Read what is a wallet’s own for ten minutes by one signature, which lets nobody write',
        security: ownerSigned,
        tags: ['owners'],
        body: Type.Object({ wallet: EvmAddress }, { additionalProperties: false }),
        response: {
          201: Type.Object({
            token: Type.String({ description: 'for `Authorization: ReadSession <token>` of a GET' }),
            expiresAt: Time,
          }),
          ...problems(...OWNER_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      const wallet = lowerAddress(request.body.wallet);
      // Read before the signature is verified: an account that is sold meanwhile opens nothing for whoever signed.
      const beneficialOwner = await beneficialOwnerOf(services, wallet);
      await requireOwner(request, { wallet, statement: readSessionWords(), chainId: HOME_CHAIN });
      const { token, expiresAt } = requireOwner.openSession({ wallet, beneficialOwner });
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ token, expiresAt: expiresAt.toISOString() });
    },
  );
}

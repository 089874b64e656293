import { Type } from 'typebox';
import { sessionWords } from '../../agents/agent/agent-words.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { type LiveAgent, readLive, requireAgent } from '../../runtime/agent/live-agent.ts';
import { confirmAct } from '../../runtime/agent/owner-acts/confirm.ts';
import { SESSION_ACTIONS, sessionAct } from '../../runtime/agent/owner-acts/session-act.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { actsOf, type OwnerActRow } from '../../store/agent/owner-acts.ts';
import type { App, Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { PagesOf } from '../http/cursors.ts';
import { ownCursor } from '../http/own-cursors.ts';
import { Handle, OWNER_PROBLEMS, ownerSigned, pageQuery, problems, Time } from '../schemas.ts';
import { readOwnList } from './own-list.ts';
import { formerOwner } from './own-time.ts';
import { OwnerAct, ownerAct, Signature, TypedData, typedData } from './owner-act-shapes.ts';

const SESSION_PROBLEMS = [...OWNER_PROBLEMS, 'agent-not-active', 'conflict'] as const;

/** The position of an act in the list of its agent's acts. */
const actPlace = {
  place: ({ created_at, id }: OwnerActRow): string => `${created_at.toISOString()} ${id}`,
  read(text: string): { createdAt: Date; id: string } {
    const [at = '', id = ''] = text.split(' ');
    return { createdAt: new Date(at), id };
  },
};

/** Pauses, resumes, rekeys and retires an agent, and lists what its owner was given to sign. */
export function agentSessionRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  async function authorised(request: Request, handle: string, statement: string): Promise<LiveAgent> {
    const live = await readLive(services, await requireAgent(services, handle));
    await requireOwner(request, {
      wallet: lowerAddress(live.chain.owner) as Address,
      statement,
      chainId: HOME_CHAIN,
    });
    return live;
  }

  app.post(
    '/agent/:handle/session',
    {
      schema: {
        operationId: 'agent-session',
        summary: 'Pause, resume or retire an agent, or change its session key; a stop counts at once',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        body: Type.Object({ action: Type.Enum([...SESSION_ACTIONS]) }, { additionalProperties: false }),
        response: {
          202: Type.Object({
            handle: Handle,
            action: Type.Enum([...SESSION_ACTIONS]),
            typedData: Type.Union([TypedData, Type.Null()], {
              description:
                'sign it to have the chain hold to it too; null while something signed before is on its way there',
            }),
            expiresAt: Type.Union([Time, Type.Null()]),
            confirm: Type.String({ description: 'where the signature goes' }),
          }),
          ...problems(...SESSION_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      const { handle } = request.params;
      const { action } = request.body;
      const live = await authorised(request, handle, sessionWords(action, handle));
      const proposal = await sessionAct(services, live, action, request.lastCall);
      return reply.code(202).send({
        handle,
        action,
        typedData: proposal && typedData(proposal.documents[0]),
        expiresAt: proposal?.act.deadline.toISOString() ?? null,
        confirm: `${services.config.baseUrl}/agent/${handle}/session/confirm`,
      });
    },
  );

  app.post(
    '/agent/:handle/session/confirm',
    {
      schema: {
        operationId: 'agent-session-confirm',
        summary: 'Have the chain hold to the newest session action by the signature over its typed data',
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        body: Type.Object({ signature: Signature }, { additionalProperties: false }),
        response: { 202: OwnerAct, ...problems(...SESSION_PROBLEMS, 'relay-budget') },
      },
    },
    async (request, reply) => {
      const live = await readLive(services, await requireAgent(services, request.params.handle));
      const act = await confirmAct(
        services,
        live,
        { kinds: SESSION_ACTIONS },
        { first: request.body.signature as `0x${string}`, key: null },
        request.lastCall,
      );
      return reply.code(202).send(ownerAct(act));
    },
  );

  app.get(
    '/agent/:handle/acts',
    {
      schema: {
        operationId: 'agent-acts',
        summary:
          'The mandates and session acts that the owner of an agent was given to sign, and what became of each, for that owner',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor, owner: formerOwner }),
        response: { 200: PagesOf(OwnerAct), ...problems(...OWNER_PROBLEMS) },
      },
    },
    async (request) => {
      const { handle } = request.params;
      const { owner, page, paged } = await readOwnList(services, requireOwner, request as Request, {
        name: 'acts',
        handle,
        statement: `Read what the owner of agent ${handle} was given to sign`,
        query: request.query,
        places: actPlace,
      });
      return paged(await actsOf(services.db, { handle, owner }, page), ownerAct);
    },
  );
}

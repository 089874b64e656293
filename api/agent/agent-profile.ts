import { Type } from 'typebox';
import { profileWords } from '../../agents/agent/agent-words.ts';
import { badField } from '../../agents/errors.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { readLive, requireAgent } from '../../runtime/agent/live-agent.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { setProfile } from '../../store/agent/agents.ts';
import type { App } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { Depth, Handle, OWNER_PROBLEMS, ownerSigned, problems } from '../schemas.ts';

const Text = (maxLength: number, description: string) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], { description });

/** `POST /agent/{handle}/profile`: sets how an agent is presented, and how large its panels are. */
export function agentProfileRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/agent/:handle/profile',
    {
      schema: {
        operationId: 'agent-profile',
        summary: 'Change what an agent shows of itself, and the depth of its determinations',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        body: Type.Object(
          {
            displayName: Type.Optional(Text(80, 'null or empty: none')),
            about: Type.Optional(Text(500, 'null or empty: none')),
            depth: Type.Optional(Depth),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: {
          200: Type.Object({
            handle: Handle,
            displayName: Type.Union([Type.String(), Type.Null()]),
            about: Type.Union([Type.String(), Type.Null()]),
            depth: Type.Union([Depth, Type.Null()]),
          }),
          ...problems(...OWNER_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { handle } = request.params;
      const { displayName, about, depth } = request.body;
      const agent = await requireAgent(services, handle);
      if (depth !== undefined && agent.tier === 'EXECUTOR')
        throw badField('depth', 'an EXECUTOR has no depth: leave it out');
      const live = await readLive(services, agent);
      await requireOwner(request, {
        wallet: lowerAddress(live.chain.owner) as Address,
        statement: profileWords({ handle, displayName, about, depth }),
        chainId: HOME_CHAIN,
      });
      request.lastCall();
      const row = await setProfile(services.db, handle, {
        ...(displayName === undefined ? {} : { display_name: shown(displayName) }),
        ...(about === undefined ? {} : { about: shown(about) }),
        ...(depth === undefined ? {} : { depth }),
      });
      return {
        handle,
        displayName: row.display_name,
        about: row.about,
        depth: row.depth as 'superconsensus',
      };
    },
  );
}

/** The visible part of a text: without control and format characters, and null when nothing is left. */
function shown(text: string | null): string | null {
  const visible = text?.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim() ?? '';
  return visible === '' ? null : visible;
}

import { Type } from 'typebox';
import { mandateWords } from '../../agents/agent/agent-words.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { readLive, requireAgent } from '../../runtime/agent/live-agent.ts';
import { confirmAct } from '../../runtime/agent/owner-acts/confirm.ts';
import { proposeMandate } from '../../runtime/agent/owner-acts/propose-mandate.ts';
import { withSuggestion } from '../../runtime/agent/suggest-mandate.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import { askerOf } from '../http/asker.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { Handle, OWNER_PROBLEMS, ownerSigned, problems, Time } from '../schemas.ts';
import { OwnerAct, ownerAct, Signature, TypedData, typedData } from './owner-act-shapes.ts';
import { readBack, readBackFields } from './read-back.ts';

const TERMS_PROBLEMS = [
  ...OWNER_PROBLEMS,
  'agent-not-active',
  'conflict',
  'mandate-refused',
  'too-hard',
] as const;

/** Proposes new terms for an agent, takes its owner's signature, and puts them on chain. */
export function agentTermsRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/agent/:handle/mandate',
    {
      schema: {
        operationId: 'agent-mandate',
        summary: 'Propose a new mandate: the answer is what the contract wants signed',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        body: Type.Object(
          { mandate: Type.String({ minLength: 1, maxLength: 4000, description: 'in plain language' }) },
          { additionalProperties: false },
        ),
        response: {
          202: Type.Object({
            version: Type.Integer(),
            mandate: Type.Object({}, { additionalProperties: true, description: 'as it will be enforced' }),
            ...readBackFields,
            typedData: TypedData,
            keyTypedData: Type.Optional(
              Type.Object(TypedData.properties, {
                description:
                  'grants the session key for as long as the mandate runs; required of a new owner, whose agent has no key',
              }),
            ),
            expiresAt: Time,
            confirm: Type.String({ description: 'where the signatures go' }),
          }),
          ...problems(...TERMS_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      const { handle } = request.params;
      const live = await readLive(services, await requireAgent(services, handle));
      await requireOwner(request, {
        wallet: lowerAddress(live.chain.owner) as Address,
        statement: mandateWords({ handle, text: request.body.mandate }),
        chainId: HOME_CHAIN,
      });
      const { version, mandate, act, documents } = await withSuggestion(
        services,
        request.body.mandate,
        askerOf(request, live.chain.owner),
        () => proposeMandate(services, live, request.body.mandate, request.lastCall),
      );
      const [terms, key] = documents;
      return reply.code(202).send({
        version,
        mandate: { ...mandate },
        ...(await readBack(services.db, mandate, live.chain.owner)),
        typedData: typedData(terms),
        ...(key === undefined ? {} : { keyTypedData: typedData(key) }),
        expiresAt: act.deadline.toISOString(),
        confirm: `${services.config.baseUrl}/agent/${handle}/mandate/${version}/confirm`,
      });
    },
  );

  app.post(
    '/agent/:handle/mandate/:version/confirm',
    {
      schema: {
        operationId: 'agent-mandate-confirm',
        summary: 'Put a proposed mandate on chain by the signature over its typed data',
        tags: ['owners'],
        params: Type.Object({
          handle: Handle,
          version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
        }),
        body: Type.Object(
          {
            signature: Signature,
            keySignature: Type.Optional(Signature),
          },
          { additionalProperties: false },
        ),
        response: { 202: OwnerAct, ...problems(...TERMS_PROBLEMS, 'relay-budget') },
      },
    },
    async (request, reply) => {
      const { handle, version } = request.params;
      const { signature, keySignature } = request.body;
      const live = await readLive(services, await requireAgent(services, handle));
      const act = await confirmAct(
        services,
        live,
        { kinds: ['mandate'], version },
        { first: signature as `0x${string}`, key: (keySignature as `0x${string}` | undefined) ?? null },
        request.lastCall,
      );
      return reply.code(202).send(ownerAct(act));
    },
  );
}

import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import {
  REGISTRATION_TYPE,
  type RegisteredAgent,
  registrationFile,
  registrationOf,
} from '../../agents/registration.ts';
import { readLive } from '../../runtime/acts/live-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { type AgentRow, agentByToken, findMandate, tokensOf } from '../../store/agents.ts';
import type { App } from '../app.ts';
import { portrait, portraitHeaders } from '../pages/portrait.ts';
import { problems, TierName } from '../schemas.ts';

const Params = Type.Object({
  chainId: Type.String({ pattern: '^[0-9]{1,15}$', description: 'the chain the agent is minted on' }),
  tokenId: Type.String({ pattern: '^[0-9]{1,15}$', description: "the agent's token id, decimal" }),
});

const Registrations = Type.Array(
  Type.Object({
    agentId: Type.Integer(),
    agentRegistry: Type.String({ description: 'CAIP-10 of the collection' }),
  }),
);

/** The registration file of EIP-8004, which is the metadata of ERC-721 too. */
const RegistrationFile = Type.Object({
  type: Type.Literal(REGISTRATION_TYPE),
  name: Type.String({ description: "the owner's words: escape them" }),
  description: Type.String({ description: "the owner's words: escape them" }),
  image: Type.String(),
  external_url: Type.String(),
  services: Type.Array(Type.Object({ name: Type.String(), endpoint: Type.String() })),
  x402Support: Type.Boolean(),
  active: Type.Boolean({ description: 'false also when the chain cannot be read' }),
  registrations: Registrations,
  supportedTrust: Type.Array(Type.String()),
  attributes: Type.Array(
    Type.Object({
      trait_type: Type.String(),
      value: Type.Union([Type.String(), Type.Number(), TierName]),
      display_type: Type.Optional(Type.Enum(['number', 'date'])),
    }),
  ),
});

/** For how long a marketplace may go without asking again, seconds. ERC-4906 tells it of changes on chain. */
const CACHE = 'public, max-age=60';

/** Where a token's URI leads: an agent as ERC-721 and ERC-8004 read it, and its picture. */
export function metadataRoutes(app: App, services: Services): void {
  const { baseUrl } = services.config;

  app.get(
    '/metadata/:chainId/:tokenId',
    {
      schema: {
        operationId: 'agent-metadata',
        summary:
          "An agent's registration file (ERC-8004) and token metadata (ERC-721): where its token URI leads",
        tags: ['agents'],
        params: Params,
        response: { 200: RegistrationFile, ...problems('bad-request', 'not-found') },
      },
    },
    async (request, reply) => {
      const agent = await requireByToken(services, request.params);
      const { attributes, ...file } = registrationFile(await registeredAgent(services, agent), baseUrl);
      return reply.header('cache-control', CACHE).send({ ...file, attributes: [...attributes] });
    },
  );

  app.get(
    '/metadata/:chainId/:tokenId/portrait.svg',
    {
      schema: {
        operationId: 'agent-portrait',
        summary: "An agent's picture, drawn from its account's address",
        tags: ['agents'],
        params: Params,
        response: {
          200: {
            description: 'an SVG for light and dark surroundings, with title and description',
            content: { 'image/svg+xml': { schema: Type.String() } },
          },
          ...problems('bad-request', 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const agent = await registeredAgent(services, await requireByToken(services, request.params));
      return reply
        .headers({ ...portraitHeaders(agent), 'cache-control': CACHE })
        .type('image/svg+xml; charset=utf-8')
        .send(portrait(agent).text);
    },
  );

  app.get(
    '/.well-known/agent-registration.json',
    {
      schema: {
        operationId: 'agent-registrations',
        summary: 'The agents whose endpoints this service is (ERC-8004, endpoint domain verification)',
        tags: ['agents'],
        response: { 200: Type.Object({ registrations: Registrations }), ...problems() },
      },
    },
    async (_request, reply) => {
      const home = collection(services);
      const tokens = await tokensOf(services.db, home);
      const registrations = tokens.map((tokenId) => registrationOf({ ...home, tokenId }));
      return reply.header('cache-control', CACHE).send({ registrations });
    },
  );
}

/** The collection whose tokens' URIs lead here. */
function collection({ home }: Services): { chainId: number; contract: string } {
  return { chainId: home.chainId, contract: lowerAddress(home.deployment.agentNft) };
}

async function requireByToken(
  services: Services,
  { chainId, tokenId }: { chainId: string; tokenId: string },
): Promise<AgentRow> {
  const home = collection(services);
  const agent =
    Number(chainId) === home.chainId
      ? await agentByToken(services.db, { ...home, tokenId: BigInt(tokenId) })
      : null;
  if (agent === null) throw new AppError('not-found', `There is no agent ${tokenId} on eip155:${chainId}.`);
  return agent;
}

/** An agent as it stands now. What the chain decides is left unsaid while it cannot be read. */
async function registeredAgent(services: Services, agent: AgentRow): Promise<RegisteredAgent> {
  const [mandate, live] = await Promise.all([
    findMandate(services.db, agent.handle),
    readLive(services, agent).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return null;
      throw error;
    }),
  ]);
  const stands = mandate !== null && live?.chain.mandateHash.toLowerCase() === mandate.hash.toLowerCase();
  return {
    handle: agent.handle,
    displayName: agent.display_name,
    about: agent.about,
    tier: agent.tier,
    depth: agent.depth,
    status: live === null ? null : live.chain.paused && agent.status === 'active' ? 'paused' : agent.status,
    chainId: agent.chain_id,
    contract: agent.contract,
    tokenId: agent.token_id,
    account: agent.account,
    since: agent.since,
    mandate: stands
      ? {
          hash: mandate.hash,
          version: mandate.version,
          structured: mandate.structured as unknown as Mandate,
        }
      : null,
  };
}

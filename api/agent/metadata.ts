import { Type } from 'typebox';
import {
  REGISTRATION_TYPE,
  type RegisteredAgent,
  registrationFile,
} from '../../agents/agent/registration.ts';
import { AppError } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { readLive } from '../../runtime/agent/live-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { type AgentRow, agentByToken, findMandate, tokensOf } from '../../store/agent/agents.ts';
import type { App, Reply } from '../http/app.ts';
import { AgentTokenId, problems, TierName } from '../schemas.ts';
import { portrait, portraitHeaders } from './portrait.ts';
import { registrationsDocument } from './registrations.ts';

const Params = Type.Object({
  chainId: Type.String({ pattern: '^[0-9]{1,15}$', description: 'the chain the agent is minted on' }),
  tokenId: AgentTokenId,
});

const Registrations = Type.Array(
  Type.Object({
    agentId: Type.Integer(),
    agentRegistry: Type.String({ description: 'CAIP-10 of the collection' }),
  }),
);

/** The registration file of EIP-8004, which also serves as the metadata of ERC-721. */
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

/** For how many seconds a marketplace may cache the metadata. ERC-4906 events on chain announce changes. */
const CACHE_SECONDS = 60;
const CACHE = `public, max-age=${CACHE_SECONDS}`;

/** Serves what a token's URI points to: an agent's metadata for ERC-721 and ERC-8004, and its picture. */
export function metadataRoutes(app: App, services: Services): void {
  const { baseUrl } = services.config;
  const home = collection(services);
  const registrations = registrationsDocument({
    collection: home,
    tokensAbove: (tokenId) => tokensOf(services.db, home, tokenId),
    now: services.now,
    goodMs: 1_000 * CACHE_SECONDS,
  });

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
    async (_request, reply: Reply) => {
      const { bytes, ageMs } = await registrations();
      return reply
        .headers({ 'cache-control': CACHE, age: String(Math.max(0, Math.floor(ageMs / 1_000))) })
        .type('application/json; charset=utf-8')
        .send(bytes);
    },
  );
}

/** The collection whose token URIs point to these routes. */
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

/** An agent as it is now. Fields that only the chain can tell are left out while it cannot be read. */
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
          structured: mandate.structured,
        }
      : null,
  };
}

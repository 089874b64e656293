import {
  type AbiParameter,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  type Hex,
  hashTypedData,
  type TypedDataDefinition,
} from 'viem';
import type { MandateTerms } from '../../agents/mandate/terms/terms.ts';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import {
  grantKeyTypedData,
  setMandateTypedData,
  setPausedTypedData,
} from '../../chain/clients/policy-typed-data.ts';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import { type Act, type Forgetful, Refused, requireAgent, type SimulatedAgent } from './chain-state.ts';
import { ownerSignature } from './owners.ts';

/** What a signature of an owner changes of its agent, and the document over which it was given. */
interface Change {
  readonly tokenId: bigint;
  readonly deadline: number;
  readonly signature: Hex;
  readonly document: (slot: { epoch: number; nonce: bigint }) => object;
  readonly change: (agent: SimulatedAgent) => Partial<SimulatedAgent>;
  readonly event: (agent: SimulatedAgent) => {
    readonly eventName: 'PausedSet' | 'KeyGranted' | 'MandateSet';
    readonly args: Readonly<Record<string, unknown>>;
  };
}

/**
 * The part of the policy contract that simulated owners use: mandates, keys and pauses, each signature counting once,
 * and the end of keys.
 */
export function policyAct(deployment: Deployment, data: Hex, forgetful: Forgetful): Act {
  const { functionName, args } = decodeFunctionData({ abi: spendPolicyAbi, data });
  switch (functionName) {
    case 'revokeKey':
      return revokeAct(...(args as unknown as [bigint, Hex]));
    case 'setPausedBySig':
      return signedAct(deployment, pause(deployment, args as never), forgetful);
    case 'grantKeyBySig':
      return signedAct(deployment, grant(deployment, args as never), forgetful);
    case 'setMandateBySig':
      return signedAct(deployment, mandate(deployment, args as never), forgetful);
    default:
      throw new Error(`nothing simulated does ${functionName}`);
  }
}

function signedAct(deployment: Deployment, by: Change, forgetful: Forgetful): Act {
  const { tokenId, deadline, signature } = by;
  return (state, at) => {
    const agent = requireAgent(state, tokenId);
    if (at > deadline) throw new Refused('SignatureExpired', [deadline]);
    const { epoch, nonce } = agent;
    const digest = hashTypedData(by.document({ epoch, nonce }) as TypedDataDefinition);
    if (signature !== ownerSignature(agent.owner, digest)) throw new Refused('BadOwnerSignature', [tokenId]);
    const changed = { ...agent, ...by.change(agent), nonce: forgetful.nonces ? nonce : nonce + 1n };
    state.agents.set(tokenId, changed);
    return [{ address: deployment.policy, ...eventOf(by.event(changed)) }];
  };
}

function pause(
  deployment: Deployment,
  [tokenId, paused, deadline, signature]: readonly [bigint, boolean, number, Hex],
): Change {
  return {
    ...{ tokenId, deadline, signature },
    document: (slot) => setPausedTypedData(deployment, { tokenId, deadline, paused, ...slot }),
    change: () => ({ paused }),
    event: () => ({ eventName: 'PausedSet', args: { agentId: tokenId, paused, byGuardian: false } }),
  };
}

/** A key that has ended is never granted again. */
function grant(
  deployment: Deployment,
  [tokenId, key, until, deadline, signature]: readonly [bigint, Hex, number, number, Hex],
): Change {
  return {
    ...{ tokenId, deadline, signature },
    document: (slot) => grantKeyTypedData(deployment, { tokenId, deadline, key, validUntil: until, ...slot }),
    change: ({ keys, epoch }) => {
      if (keys.get(key.toLowerCase())?.until === 0) throw new Refused('KeyRevoked');
      return { keys: new Map([...keys, [key.toLowerCase(), { epoch, until }]]) };
    },
    event: ({ epoch }) => ({
      eventName: 'KeyGranted',
      args: { agentId: tokenId, key, epoch, validUntil: until },
    }),
  };
}

type Terms = Pick<
  MandateTerms,
  'mandateHash' | 'validAfter' | 'expiry' | 'sides' | 'allowlistOnly' | 'categories'
>;

function mandate(
  deployment: Deployment,
  [tokenId, terms, [caps], allow, deny, deadline, signature]: readonly [
    bigint,
    Terms,
    readonly [MandateTerms['caps'] & { readonly token: Hex }],
    readonly Hex[],
    readonly Hex[],
    number,
    Hex,
  ],
): Change {
  const { token: _, ...limits } = caps;
  const { mandateHash, expiry } = terms;
  const { perDeal, dayCap, totalCap } = limits;
  return {
    ...{ tokenId, deadline, signature },
    document: (slot) =>
      setMandateTypedData(deployment, {
        tokenId,
        deadline,
        terms: { ...terms, caps: limits, allow: [...allow], deny: [...deny], offChain: [] } as MandateTerms,
        ...slot,
      }),
    // What was spent before counts for the new caps.
    change: ({ mandateVersion }) => {
      return { mandateHash, mandateVersion: mandateVersion + 1, expiry, perDeal, dayCap, totalCap };
    },
    event: ({ mandateVersion }) => ({
      eventName: 'MandateSet',
      args: { agentId: tokenId, mandateHash, version: mandateVersion, terms },
    }),
  };
}

function eventOf({ eventName, args }: ReturnType<Change['event']>): { topics: Hex[]; data: Hex } {
  const { inputs } = getAbiItem({ abi: spendPolicyAbi, name: eventName }) as unknown as {
    inputs: readonly (AbiParameter & { readonly indexed?: boolean })[];
  };
  const said = inputs.filter(({ indexed }) => indexed !== true);
  const values = said.map((input) => args[input.name ?? '']);
  return {
    topics: encodeEventTopics({ abi: spendPolicyAbi, eventName, args } as never) as Hex[],
    data: encodeAbiParameters(said, values as never),
  };
}

function revokeAct(tokenId: bigint, key: Hex): Act {
  return (state) => {
    const agent = requireAgent(state, tokenId);
    // The epoch stays: a key that has ended is never granted again.
    const ended = { epoch: agent.keys.get(key.toLowerCase())?.epoch ?? 0, until: 0 };
    state.agents.set(tokenId, { ...agent, keys: new Map([...agent.keys, [key.toLowerCase(), ended]]) });
    return [];
  };
}

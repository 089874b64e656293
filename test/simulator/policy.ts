import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  hashTypedData,
  type TypedDataDefinition,
} from 'viem';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { setPausedTypedData } from '../../chain/clients/policy-typed-data.ts';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import { type Act, type Forgetful, Refused, requireAgent } from './chain-state.ts';
import { ownerSignature } from './owners.ts';

/**
 * The part of the policy contract that simulated owners use: pauses, with each signature counting once, and the end of
 * keys.
 */
export function policyAct(deployment: Deployment, data: Hex, forgetful: Forgetful): Act {
  const { functionName, args } = decodeFunctionData({ abi: spendPolicyAbi, data });
  if (functionName === 'revokeKey') return revokeAct(...(args as unknown as [bigint, Hex]));
  if (functionName !== 'setPausedBySig') throw new Error(`nothing simulated does ${functionName}`);
  const [tokenId, paused, deadline, signature] = args as unknown as [bigint, boolean, number, Hex];
  const topics = encodeEventTopics({
    abi: spendPolicyAbi,
    eventName: 'PausedSet',
    args: { agentId: tokenId },
  });
  const said = encodeAbiParameters([{ type: 'bool' }, { type: 'bool' }], [paused, false]);
  return (state, at) => {
    const agent = requireAgent(state, tokenId);
    if (at > deadline) throw new Refused('SignatureExpired', [deadline]);
    const { epoch, nonce } = agent;
    const document = setPausedTypedData(deployment, { tokenId, epoch, nonce, deadline, paused });
    if (signature !== ownerSignature(agent.owner, hashTypedData(document as TypedDataDefinition)))
      throw new Refused('BadOwnerSignature', [tokenId]);
    state.agents.set(tokenId, { ...agent, nonce: forgetful.nonces ? nonce : nonce + 1n, paused });
    return [{ address: deployment.policy, topics: topics as Hex[], data: said }];
  };
}

function revokeAct(tokenId: bigint, key: Hex): Act {
  return (state) => {
    const agent = requireAgent(state, tokenId);
    if (agent.key === key.toLowerCase()) state.agents.set(tokenId, { ...agent, keyEpoch: 0 });
    return [];
  };
}

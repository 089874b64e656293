import { type Address, encodeFunctionData, type Hex, isAddressEqual, zeroAddress } from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import type { Deployment } from '../deployment.ts';
import { RpcRefusal } from '../json-rpc.ts';
import { ISSUER_ROLE, MINTER_ROLE } from './inspect.ts';
import type { Node } from './node.ts';
import type { Payer } from './payer.ts';

/** One call that moves a role, and who alone may send it. */
export interface Act {
  readonly name: string;
  readonly by: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** What is still to be sent, and what is so already. */
export interface Acts {
  readonly due: readonly Act[];
  readonly done: readonly string[];
}

export type MovableRole = 'minter' | 'issuer';

/** Both contracts whose default admin moves in two steps (OpenZeppelin AccessControlDefaultAdminRules). */
function governed({ agentNft, certificates }: Deployment): readonly (readonly [string, Address])[] {
  return [
    ['AgentNFT', agentNft],
    ['Certificates', certificates],
  ];
}

interface Admin {
  readonly holder: Address;
  readonly pending: Address;
  /** Unix seconds; the new admin accepts after it. */
  readonly from: number;
}

async function adminOf(node: Node, at: Address): Promise<Admin> {
  const [holder, [pending, from]] = await Promise.all([
    node.read(at, agentNftAbi, 'defaultAdmin'),
    node.read(at, agentNftAbi, 'pendingDefaultAdmin'),
  ]);
  return { holder, pending, from };
}

async function forEach(
  node: Node,
  deployment: Deployment,
  decide: (contract: string, at: Address, admin: Admin) => Act | string,
): Promise<Acts> {
  const decided = await Promise.all(
    governed(deployment).map(async ([contract, at]) => decide(contract, at, await adminOf(node, at))),
  );
  return {
    due: decided.filter((d): d is Act => typeof d !== 'string'),
    done: decided.filter((d): d is string => typeof d === 'string'),
  };
}

/** First step, by the present default admin. Begun again for the same heir it changes nothing: the delay runs on. */
export function beginHandOver(node: Node, deployment: Deployment, heir: Address): Promise<Acts> {
  const data = encodeFunctionData({
    abi: agentNftAbi,
    functionName: 'beginDefaultAdminTransfer',
    args: [heir],
  });
  return forEach(node, deployment, (contract, to, { holder, pending, from }) => {
    if (isAddressEqual(holder, heir)) return `${heir} is default admin of ${contract} already`;
    if (isAddressEqual(pending, heir))
      return `${contract} is being handed over to ${heir}, who may accept after ${time(from)}`;
    return { name: `begin handing ${contract} over to ${heir}`, by: holder, to, data };
  });
}

/** Second step, by the heir, after the delay. @param now unix seconds of the chain; null: the delay is not looked at */
export function acceptHandOver(node: Node, deployment: Deployment, now: number | null): Promise<Acts> {
  const data = encodeFunctionData({ abi: agentNftAbi, functionName: 'acceptDefaultAdminTransfer' });
  return forEach(node, deployment, (contract, to, { holder, pending, from }) => {
    if (pending === zeroAddress)
      return `nothing is to be accepted: default admin of ${contract} is ${holder}`;
    if (now !== null && now <= from)
      return `${contract} cannot be accepted yet: ${pending} may after ${time(from)}`;
    return { name: `accept ${contract}`, by: pending, to, data };
  });
}

/** The present default admin takes a hand-over back that was not accepted yet. */
export function cancelHandOver(node: Node, deployment: Deployment): Promise<Acts> {
  const data = encodeFunctionData({ abi: agentNftAbi, functionName: 'cancelDefaultAdminTransfer' });
  return forEach(node, deployment, (contract, to, { holder, pending }) =>
    pending === zeroAddress
      ? `nothing is being handed over: default admin of ${contract} is ${holder}`
      : { name: `cancel handing ${contract} over to ${pending}`, by: holder, to, data },
  );
}

/**
 * Gives a role to a key, or takes it from one; both are the default admin's, and a holder may give its own up.
 * @param sender who would send it, where that is known
 */
export async function changeRole(
  node: Node,
  deployment: Deployment,
  change: 'grant' | 'revoke',
  role: MovableRole,
  who: Address,
  sender: Address | null,
): Promise<Acts> {
  const [contract, to, id] =
    role === 'minter'
      ? (['AgentNFT', deployment.agentNft, MINTER_ROLE] as const)
      : (['Certificates', deployment.certificates, ISSUER_ROLE] as const);
  const [has, { holder }] = await Promise.all([
    node.read(to, agentNftAbi, 'hasRole', [id, who]),
    adminOf(node, to),
  ]);
  if (has === (change === 'grant')) {
    return { due: [], done: [`${who} ${has ? 'is' : 'is no'} ${role} of ${contract} already`] };
  }
  const ownWill = change === 'revoke' && sender !== null && isAddressEqual(sender, who);
  const functionName = change === 'grant' ? 'grantRole' : ownWill ? 'renounceRole' : 'revokeRole';
  const data = encodeFunctionData({ abi: agentNftAbi, functionName, args: [id, who] });
  const name = `${change} ${role} of ${contract} ${change === 'grant' ? 'to' : 'from'} ${who}`;
  return { due: [{ name, by: ownWill ? who : holder, to, data }], done: [] };
}

/** @throws Error, one sentence, before anything is sent when an act is another's to do; after what failed otherwise */
export async function perform(payer: Payer, { due }: Acts, say: (line: string) => void): Promise<void> {
  const foreign = due.find(({ by }) => !isAddressEqual(by, payer.address));
  if (foreign) {
    throw new Error(
      `only ${foreign.by} may ${foreign.name}, and this key is ${payer.address}'s: use its key, or give --calldata to see what it must send`,
    );
  }
  if (due.length > 0) await payer.settled(say);
  for (const act of due) {
    let gas: bigint;
    try {
      gas = await payer.gasFor(act);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      throw new Error(`the contract refuses to ${act.name}: ${error.message}`, { cause: error });
    }
    await payer.requireBalance(gas * (await payer.price()));
    const paid = await payer.pay(act, gas);
    if (!paid.succeeded) throw new Error(`the contract refused to ${act.name}: transaction ${paid.hash}`);
    say(`${act.name}  ${paid.gasUsed} gas  ${paid.hash}`);
  }
}

/** Unix seconds of the latest block. */
export async function chainTime(node: Node): Promise<number> {
  return Number((await node.ask<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])).timestamp);
}

export function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem';
import { accessManagerAbi } from '../../abi/access-manager.ts';
import { RpcRefusal } from '../../rpc/json-rpc.ts';
import type { Deployment } from '../deployment.ts';
import { GRANT_DELAY_SECONDS, ROLE_IDS, type Role } from '../roles.ts';
import { type Holders, holdersOf } from './holders.ts';
import { rolesOf } from './inspect.ts';
import { type Node, time } from './node.ts';
import type { Payer } from './payer.ts';

/** One call that moves a role, and the only address that may send it. */
export interface Act {
  readonly name: string;
  readonly by: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** The calls that are still to be sent, and what is done already. */
export interface Acts {
  readonly due: readonly Act[];
  readonly done: readonly string[];
}

/** Reads from the chain who holds a role. */
export async function holding(node: Node, deployment: Deployment, role: Role): Promise<Holders> {
  const likely = [...new Set(Object.values(rolesOf(deployment)))];
  return await holdersOf(node, deployment.manager, role, { fromBlock: deployment.deployedAtBlock, likely });
}

/** The admin that sends: the sender if it is one, otherwise the first known admin. */
async function adminFor(node: Node, deployment: Deployment, sender: Address | null): Promise<Address> {
  const { addresses } = await holding(node, deployment, 'admin');
  const own = addresses.find((a) => sender !== null && isAddressEqual(a, sender));
  const admin = own ?? addresses[0];
  if (admin === undefined) throw new Error('nobody who is known is admin: roles cannot be moved');
  return admin;
}

/**
 * Moves a role to another key in two steps. The first run grants the role, which takes effect after the manager's
 * delay. A run after that revokes it from everybody else. A run in between sends nothing.
 * @param sender who will send it, if known
 */
export async function rotateRole(
  node: Node,
  deployment: Deployment,
  role: Role,
  heir: Address,
  sender: Address | null,
): Promise<Acts> {
  const { manager: to } = deployment;
  const { addresses, waiting, delayed } = await holding(node, deployment, role);
  const pending = waiting.find(({ who }) => isAddressEqual(who, heir));
  if (pending)
    return { due: [], done: [`${heir} will be ${role} from ${time(pending.from)} on: run this again then`] };
  if (!addresses.some((a) => isAddressEqual(a, heir))) {
    const args = [ROLE_IDS[role], heir, 0] as const;
    const data = encodeFunctionData({ abi: accessManagerAbi, functionName: 'grantRole', args });
    const by = await adminFor(node, deployment, sender);
    const grant = { name: `grant ${role} to ${heir}`, by, to, data };
    // A grant without a delay ends one only after as long as it was; a new grant waits the manager's own.
    const isSlow = delayed.some((d) => isAddressEqual(d.who, heir) && d.delay > GRANT_DELAY_SECONDS);
    return { due: isSlow ? [taking(deployment, role, heir, by, by), grant] : [grant], done: [] };
  }
  const former = [...addresses, ...delayed.map(({ who }) => who)].filter((a) => !isAddressEqual(a, heir));
  if (former.length === 0) return { due: [], done: [`${heir} is ${role}, and nobody else`] };
  const admin = await adminFor(node, deployment, sender);
  // An admin that revokes its own role can send nothing afterwards, so that comes last.
  const last = former.sort((a, b) => Number(isAddressEqual(a, admin)) - Number(isAddressEqual(b, admin)));
  return { due: last.map((who) => taking(deployment, role, who, admin, sender)), done: [] };
}

/** Revokes a role from a key, whether its grant is in effect, still waits or has a delay. */
export async function cancelRole(
  node: Node,
  deployment: Deployment,
  role: Role,
  who: Address,
  sender: Address | null,
): Promise<Acts> {
  const { addresses, waiting, delayed } = await holding(node, deployment, role);
  const waits = [...waiting, ...delayed].some((w) => isAddressEqual(w.who, who));
  if (!waits && !addresses.some((a) => isAddressEqual(a, who))) {
    return { due: [], done: [`${who} is no ${role}, and is not to become one`] };
  }
  // Any other role may be left without a holder, for example when its key was stolen, because the admin can grant it
  // again.
  if (role === 'admin' && !waits && addresses.length === 1) {
    throw new Error(`${who} is the only admin: rotate the role to another key first`);
  }
  const admin = await adminFor(node, deployment, sender);
  return { due: [taking(deployment, role, who, admin, sender)], done: [] };
}

/** A holder gives its own role up; from others the admin revokes it. */
function taking(
  { manager: to }: Deployment,
  role: Role,
  who: Address,
  admin: Address,
  sender: Address | null,
): Act {
  const ownWill = sender !== null && isAddressEqual(sender, who);
  const functionName = ownWill ? 'renounceRole' : 'revokeRole';
  const data = encodeFunctionData({ abi: accessManagerAbi, functionName, args: [ROLE_IDS[role], who] });
  return { name: `take ${role} from ${who}`, by: ownWill ? who : admin, to, data };
}

/**
 * @throws Error with one sentence: before anything is sent when a call is somebody else's to send, or at the call that
 *   failed
 */
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

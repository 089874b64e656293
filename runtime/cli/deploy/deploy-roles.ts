import { Command } from 'commander';
import { parseGwei } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { ROLE_NAMES, type Role } from '../../../chain/deploy/roles.ts';
import { type Acts, cancelRole, perform, rotateRole } from '../../../chain/deploy/rollout/acts.ts';
import { type Node, openNode } from '../../../chain/deploy/rollout/node.ts';
import { openPayer } from '../../../chain/deploy/rollout/payer.ts';
import { readConfig, requireStrongSigner } from '../../config/config.ts';
import { privateKeyOf } from '../../config/role-keys.ts';
import { StartError } from '../../config/start-error.ts';
import {
  addressOf,
  deploymentOf,
  type Env,
  onChain,
  type Target,
  targetOf,
  withNode,
} from './deploy-target.ts';

interface Flags extends Target {
  readonly file?: string;
  readonly calldata?: boolean;
  readonly json?: boolean;
}

const MAX_FEE_GWEI = '200';

function acting(command: Command): Command {
  return onChain(command)
    .option('--file <file>', 'the deployment file; default: deployment-<chain>.json in DATA_DIR')
    .option('--calldata', 'send nothing: print who must send what, for a multisig wallet')
    .option('--json', 'a line of JSON for each step: { done } or { name, from, to, data }');
}

function roleOf(text: string): Role {
  const role = ROLE_NAMES.find((name) => name === text);
  if (role === undefined) throw new StartError(`The role must be one of ${ROLE_NAMES.join(', ')}.`);
  return role;
}

/**
 * `deploy rotate <role> <address>`: the first run grants the role; a second one after the delay takes it from the other
 * keys.
 */
export function rotateCommand(env: Env): Command {
  return acting(new Command('rotate'))
    .description(
      'Move a role to another key, as the admin: a grant counts after two days, then run it again.',
    )
    .argument('<role>', ROLE_NAMES.join(', '))
    .argument('<address>', 'who is to hold it')
    .addHelpText(
      'after',
      `
Run first, it grants the role, which counts two days later. Run again after that, it takes the role from everyone else.
In between it sends nothing and says how long the grant waits. The admin is rotated like any other role; the second run
may be the heir's.

Examples:
  npm run -s handshake -- deploy rotate treasury 0x… --rpc https://rpc.example --chain 1002
  npm run -s handshake -- deploy rotate admin 0x… --rpc https://rpc.example --chain 1002 --calldata`,
    )
    .action(async (role: string, who: string, flags: Flags) => {
      const [named, heir] = [roleOf(role), addressOf(who, 'the address')];
      await act(env, flags, (node, deployment, sender) => rotateRole(node, deployment, named, heir, sender));
    });
}

/** `deploy cancel <role> <address>`: revokes a grant, even one whose delay is not over. */
export function cancelCommand(env: Env): Command {
  return acting(new Command('cancel'))
    .description('Take a role from a key at once, as the admin, also one whose grant still waits.')
    .argument('<role>', ROLE_NAMES.join(', '))
    .argument('<address>', 'from whom')
    .addHelpText(
      'after',
      `
Also the last holder's, as when a key was stolen: what the role does then rests until the next grant counts. Only the
last admin stays. A holder may give its own up.

Example:
  npm run -s handshake -- deploy cancel minter 0x… --rpc https://rpc.example --chain 1002`,
    )
    .action(async (role: string, who: string, flags: Flags) => {
      const [named, from] = [roleOf(role), addressOf(who, 'the address')];
      await act(env, flags, (node, deployment, sender) => cancelRole(node, deployment, named, from, sender));
    });
}

type Planning = (node: Node, deployment: Deployment, sender: `0x${string}` | null) => Promise<Acts>;

async function act(env: Env, flags: Flags, plan: Planning): Promise<void> {
  const { rpcUrl, chainId } = targetOf(flags);
  const { deployment } = await deploymentOf(env, chainId, flags.file);
  const config = readConfig(env);
  const privateKey = config.deployerPrivateKey ?? privateKeyOf(config, 'operator');
  if (privateKey === null && !flags.calldata)
    throw new StartError("Set DEPLOYER_PRIVATE_KEY to the holder's key, or give --calldata.");
  requireStrongSigner(config);
  await withNode(rpcUrl, async () => {
    const node = await openNode(rpcUrl, chainId);
    const sender = privateKey === null || flags.calldata ? null : privateKeyToAddress(privateKey);
    const acts = await plan(node, deployment, sender);
    const tell = (line: string) => console.log(flags.json === true ? JSON.stringify({ done: line }) : line);
    for (const line of acts.done) tell(line);
    if (flags.calldata) {
      for (const { name, by, to, data } of acts.due)
        console.log(JSON.stringify({ name, from: by, to, data }));
      return;
    }
    const payer = openPayer({ node, privateKey: privateKey!, maxFeePerGas: parseGwei(MAX_FEE_GWEI) });
    await perform(payer, acts, tell);
    if (acts.due.length > 0) for (const line of (await plan(node, deployment, sender)).done) tell(line);
    else tell('No transaction was sent.');
  });
}

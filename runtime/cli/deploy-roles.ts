import { Command } from 'commander';
import { parseGwei } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { Deployment } from '../../chain/deployment.ts';
import {
  type Acts,
  acceptHandOver,
  beginHandOver,
  cancelHandOver,
  chainTime,
  changeRole,
  type MovableRole,
  perform,
} from '../../chain/rollout/acts.ts';
import { type Node, openNode } from '../../chain/rollout/node.ts';
import { openPayer } from '../../chain/rollout/payer.ts';
import { readConfig } from '../config.ts';
import { StartError } from '../start-error.ts';
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
}

const MAX_FEE_GWEI = '200';

function acting(command: Command): Command {
  return onChain(command)
    .option('--file <file>', 'the deployment file; default: deployment-<chain>.json in DATA_DIR')
    .option('--calldata', 'send nothing: print who must send what, for a multisig wallet');
}

/** `deploy hand-over`: the first of two steps. */
export function handOverCommand(env: Env): Command {
  return acting(new Command('hand-over'))
    .description('Begin to hand the default admin of both contracts over; the heir accepts after a day.')
    .requiredOption('--to <address>', 'the heir')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s handshake -- deploy hand-over --rpc https://rpc.example --chain 84532 --to 0x…',
    )
    .action(async (flags: Flags & { to: string }) => {
      const heir = addressOf(flags.to, '--to');
      await act(env, flags, (node, deployment) => beginHandOver(node, deployment, heir));
    });
}

/** `deploy accept`: the second, with the heir's key. */
export function acceptCommand(env: Env): Command {
  return acting(new Command('accept'))
    .description("Complete a hand-over, with the heir's key in DEPLOYER_PRIVATE_KEY.")
    .action(async (flags: Flags) => {
      await act(env, flags, async (node, deployment) => {
        const acts = await acceptHandOver(node, deployment, flags.calldata ? null : await chainTime(node));
        if (acts.due.length === 0 && acts.done.some((line) => line.includes('cannot be accepted yet'))) {
          throw new Error(acts.done.join('\n'));
        }
        return acts;
      });
    });
}

/** `deploy cancel`: takes back what was not accepted. */
export function cancelCommand(env: Env): Command {
  return acting(new Command('cancel'))
    .description('Take a hand-over back that the heir has not accepted.')
    .action((flags: Flags) => act(env, flags, cancelHandOver));
}

/** `deploy role grant|revoke minter|issuer`. */
export function roleCommand(env: Env): Command {
  return acting(new Command('role'))
    .description('Give the minter or issuer role to a key, or take it from one; as the default admin.')
    .argument('<change>', 'grant or revoke')
    .argument('<role>', 'minter or issuer')
    .argument('<address>', 'whose')
    .addHelpText(
      'after',
      `
A new key is granted the role first, then the old one is revoked. A holder may revoke its own.

Examples:
  npm run -s handshake -- deploy role grant minter 0x… --rpc https://rpc.example --chain 84532
  npm run -s handshake -- deploy role revoke minter 0x… --rpc https://rpc.example --chain 84532`,
    )
    .action(async (change: string, role: string, who: string, flags: Flags) => {
      if (change !== 'grant' && change !== 'revoke') throw new StartError('Say grant or revoke.');
      if (role !== 'minter' && role !== 'issuer')
        throw new StartError(
          'Only minter and issuer can be moved: guardian, recorder and treasury are fixed for good, the admin is handed over.',
        );
      const address = addressOf(who, 'the address');
      await act(env, flags, (node, deployment, sender) =>
        changeRole(node, deployment, change, role satisfies MovableRole, address, sender),
      );
    });
}

type Planning = (node: Node, deployment: Deployment, sender: `0x${string}` | null) => Promise<Acts>;

async function act(env: Env, flags: Flags, plan: Planning): Promise<void> {
  const { rpcUrl, chainId } = targetOf(flags);
  const { deployment } = await deploymentOf(env, chainId, flags.file);
  const { deployerPrivateKey, operatorPrivateKey } = readConfig(env);
  const privateKey = deployerPrivateKey ?? operatorPrivateKey;
  if (privateKey === null && !flags.calldata)
    throw new StartError("Set DEPLOYER_PRIVATE_KEY to the holder's key, or give --calldata.");
  await withNode(rpcUrl, async () => {
    const node = await openNode(rpcUrl, chainId);
    const sender = privateKey === null || flags.calldata ? null : privateKeyToAddress(privateKey);
    const acts = await plan(node, deployment, sender);
    for (const line of acts.done) console.log(line);
    if (flags.calldata) {
      for (const { name, by, to, data } of acts.due)
        console.log(JSON.stringify({ name, from: by, to, data }));
      return;
    }
    const payer = openPayer({ node, privateKey: privateKey!, maxFeePerGas: parseGwei(MAX_FEE_GWEI) });
    await perform(payer, acts, (line) => console.log(line));
    if (acts.due.length > 0)
      for (const line of (await plan(node, deployment, sender)).done) console.log(line);
    else console.log('No transaction was sent.');
  });
}

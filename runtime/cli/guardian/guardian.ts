import { Command } from 'commander';
import { holding, perform } from '../../../chain/deploy/rollout/acts.ts';
import {
  allUnder,
  type GuardianAct,
  guardianActs,
  MAX_PAUSE_SECONDS,
  pausesOf,
  placeOf,
  saidOfPause,
} from '../../../chain/deploy/rollout/guardian-acts.ts';
import { openNode } from '../../../chain/deploy/rollout/node.ts';
import { openPayer } from '../../../chain/deploy/rollout/payer.ts';
import { StartError } from '../../config/start-error.ts';
import { addressOf, type Env, feeOf, onChain, withNode } from '../deploy/deploy-target.ts';
import { withProgress } from '../progress.ts';
import { type GuardianFlags, guardianKey, guardianTarget } from './guardian-target.ts';

/** Of a command that sends. */
interface ActFlags extends GuardianFlags {
  readonly calldata?: boolean;
  readonly maxFee: string;
}

const MAX_HOURS = MAX_PAUSE_SECONDS / 3_600;
const RUN = 'npm run -s handshake -- guardian';

/** `guardian`: what the contracts let the guardian do, with the guardian's own key. */
export function guardianCommand(env: Env): Command {
  const guardian = new Command('guardian')
    .description('Pause session keys on chain, revoke them, and take listings back, as the guardian.')
    .addHelpText(
      'after',
      `
The chain is that of the service which runs on DATA_DIR, or of RPC_URL_1002, or the one that --rpc and --chain name. The key
is GUARDIAN_PRIVATE_KEY of the environment, or the operator's. For a multisig wallet, or a key that is elsewhere, --calldata
prints what it must send. An agent is named by its number on chain, which its page and GET /agent/<handle> tell (tokenId).

A pause ends by itself after ${MAX_HOURS} hours at most, and none begins within seven days of the end of the last one. Owners
go on meanwhile: they take money out, end keys and change mandates.

Examples:
  ${RUN} status
  ${RUN} pause-all --hours 24
  ${RUN} pause 7
  ${RUN} revoke-key 7 0x…`,
    );
  guardian.addCommand(status(env));
  const add = (command: Command, example: string, read: (args: string[], command: Command) => GuardianAct) =>
    guardian.addCommand(
      onChain(command)
        .option('--file <file>', 'the deployment file; default: deployment-<chain>.json in DATA_DIR')
        .option('--max-fee <gwei>', 'the most that is offered for one gas', '500')
        .option('--calldata', 'send nothing: print who must send what, for a multisig wallet')
        .option('--json', 'a line of JSON for each step: { done } or { name, from, to, data }')
        .addHelpText('after', `\nExample:\n  ${RUN} ${example}`)
        .action(() => act(env, command.opts<ActFlags>(), read(command.args, command))),
    );
  add(
    new Command('pause-all')
      .description(
        'Pause the session keys of all agents under the policy of the deployment: they neither pay nor settle. An agent under another policy is paused by itself.',
      )
      .requiredOption(
        '--hours <number>',
        `for how long, ${MAX_HOURS} at most; it is made no longer afterwards`,
      ),
    'pause-all --hours 72',
    (_, command) => ({ is: 'pause-all', seconds: secondsOf(command.opts<{ hours: string }>().hours) }),
  );
  add(
    new Command('resume-all').description('End the pause of all agents before its time.'),
    'resume-all',
    () => ({ is: 'resume-all' }),
  );
  add(
    new Command('pause')
      .description(`Pause the session keys of one agent for ${MAX_HOURS} hours.`)
      .argument('<tokenId>', "the agent's number on chain"),
    'pause 7',
    ([id]) => ({ is: 'pause', tokenId: numberOf(id!, '<tokenId>') }),
  );
  add(
    new Command('resume')
      .description('End the pause of one agent before its time. It lifts none by the owner.')
      .argument('<tokenId>', "the agent's number on chain"),
    'resume 7',
    ([id]) => ({ is: 'resume', tokenId: numberOf(id!, '<tokenId>') }),
  );
  add(
    new Command('revoke-key')
      .description('Revoke a session key of an agent for good; its owner may grant another.')
      .argument('<tokenId>', "the agent's number on chain")
      .argument('<key>', "the session key's address"),
    'revoke-key 7 0x…',
    ([id, key]) => ({ is: 'revoke-key', tokenId: numberOf(id!, '<tokenId>'), key: addressOf(key!, '<key>') }),
  );
  add(
    new Command('delist')
      .description('Take back what an agent offers for sale on chain.')
      .argument('<tokenId>', "the agent's number on chain")
      .argument('<asset>', 'the collection')
      .argument('<assetId>', 'the token in it'),
    'delist 7 0x… 12',
    ([id, asset, assetId]) => ({
      ...{ is: 'delist', tokenId: numberOf(id!, '<tokenId>') },
      ...{ asset: addressOf(asset!, '<asset>'), assetId: numberOf(assetId!, '<assetId>') },
    }),
  );
  return guardian;
}

function status(env: Env): Command {
  return onChain(new Command('status'))
    .description('Print who is guardian, what is paused and until when. Needs no key.')
    .argument('[tokenId]', "an agent's number on chain, to be told of its pause, too")
    .option('--file <file>', 'the deployment file; default: deployment-<chain>.json in DATA_DIR')
    .option('--json', 'as JSON; times in unix seconds, 0 where there was no pause')
    .addHelpText('after', `\nExamples:\n  ${RUN} status\n  ${RUN} status 7 --json`)
    .action(async (id: string | undefined, flags: GuardianFlags) => {
      const { rpcUrl, chainId, deployment } = await guardianTarget(env, flags);
      const tokenId = id === undefined ? null : numberOf(id, '[tokenId]');
      await withNode(rpcUrl, async () => {
        const node = await openNode(rpcUrl, chainId);
        const { policy } = tokenId === null ? deployment : await placeOf(node, deployment, tokenId);
        const [{ addresses, complete }, pauses] = await Promise.all([
          holding(node, deployment, 'guardian'),
          pausesOf(node, policy, tokenId),
        ]);
        const { now, allUntil, agentUntil } = pauses;
        if (flags.json) {
          const agent = tokenId === null ? {} : { tokenId: tokenId.toString(), policy, agentUntil };
          return console.log(
            JSON.stringify({ chainId, guardians: addresses, complete, now, allUntil, ...agent }),
          );
        }
        console.log(`guardian of chain ${chainId}: ${addresses.join(', ') || 'nobody who is known'}`);
        console.log(saidOfPause(allUnder(policy), now, allUntil));
        if (tokenId !== null)
          console.log(saidOfPause(`the session keys of agent ${tokenId}`, now, agentUntil));
      });
    });
}

/** Plans, sends what is due, and says what stands then. */
async function act(env: Env, flags: ActFlags, asked: GuardianAct): Promise<void> {
  const target = await guardianTarget(env, flags);
  const { rpcUrl, chainId, deployment } = target;
  const maxFeePerGas = feeOf(flags.maxFee);
  const account = flags.calldata ? null : await guardianKey(env, target);
  const tell = (line: string) => console.log(flags.json ? JSON.stringify({ done: line }) : line);
  await withNode(rpcUrl, async () => {
    const node = await openNode(rpcUrl, chainId);
    const around = { node, deployment, sender: account?.address ?? null };
    const acts = await guardianActs(around, asked);
    for (const line of acts.done) tell(line);
    if (account === null) {
      for (const { name, by, to, data } of acts.due)
        console.log(JSON.stringify({ name, from: by, to, data }));
      return;
    }
    if (acts.due.length === 0) return tell('No transaction was sent.');
    const payer = openPayer({ node, privateKey: account, maxFeePerGas });
    const told: string[] = [];
    await withProgress(`waiting for the chain to ${acts.due[0]!.name}`, async (say) => {
      await perform(payer, acts, (line) => {
        say(line);
        told.push(line);
      });
    });
    for (const line of told) tell(line);
    for (const line of (await guardianActs(around, asked)).done) tell(line);
  });
}

function secondsOf(hours: string): number {
  const seconds = Math.round(Number(hours) * 3_600);
  if (!/^\d+(\.\d+)?$/.test(hours) || seconds < 1 || seconds > MAX_PAUSE_SECONDS)
    throw new StartError(`--hours must be a number above 0 and at most ${MAX_HOURS}.`);
  return seconds;
}

function numberOf(text: string, argument: string): bigint {
  if (!/^\d{1,78}$/.test(text) || BigInt(text) >> 256n !== 0n)
    throw new StartError(`${argument} must be a whole number, as the chain counts it.`);
  return BigInt(text);
}

import { Command } from 'commander';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import {
  type Inspection,
  inspect,
  OTHER_CODE,
  type RoleFinding,
  rolesOf,
} from '../../../chain/deploy/rollout/inspect.ts';
import { openNode, time } from '../../../chain/deploy/rollout/node.ts';
import { endsFailed } from '../exit-codes.ts';
import { deploymentOf, type Env, onChain, type Target, targetOf, withNode } from './deploy-target.ts';

/** `deploy status`: verifies the contracts for an operator who is in doubt. It reads the chain and sends nothing. */
export function statusCommand(env: Env): Command {
  return onChain(new Command('status'))
    .description("Hold every contract's code to this build, and print who holds what, read from the chain.")
    .option('--file <file>', 'the deployment file; default: deployment-<chain>.json in DATA_DIR')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
Needs no key. Ends with code 1 when a contract has other code, or serves others than it should, also when another vault
waits for the fees.

Example:
  npm run -s handshake -- deploy status --rpc https://rpc.example --chain 1002`,
    )
    .action(async (flags: Target & { file?: string; json?: boolean }) => {
      const { rpcUrl, chainId } = targetOf(flags);
      const { deployment, path } = await deploymentOf(env, chainId, flags.file);
      const found = await withNode(rpcUrl, async () => inspect(await openNode(rpcUrl, chainId), deployment));
      if (!found.stands) endsFailed();
      if (flags.json) return console.log(JSON.stringify({ file: path, chainId, ...found }, null, 2));
      console.log(`Chain ${chainId} at block ${found.block}, held to ${path}\n`);
      printInspection(deployment, found);
      console.log(found.stands ? '\nAll of it stands.' : '\nIt does NOT stand as it should.');
    });
}

export function printInspection(
  deployment: Deployment,
  { code, wiring, roles, admissions }: Inspection,
): void {
  for (const { subject, says, ok } of [...code, ...wiring]) {
    console.log(`${ok ? 'yes' : 'NO '}  ${subject.padEnd(30)} ${says}`);
  }
  for (const role of roles)
    console.log(`     ${`${role.role} of ${role.contract}`.padEnd(30)} ${told(role)}`);
  if (roles.length === 0)
    console.log(`     ${'who has which role'.padEnd(30)} not known: the manager has ${OTHER_CODE}`);
  console.log(`     ${'owners may bind agents to'.padEnd(30)} ${admitted(admissions)}`);
  if (roles.length === 0) return;
  const { deployer } = rolesOf(deployment);
  const held = roles.filter(({ holders }) => holders.addresses.some((a) => same(a, deployer)));
  const what = held.map(({ role, contract }) => `${role} of ${contract}`).join(', ') || 'nothing';
  console.log(`     ${'the deployer holds'.padEnd(30)} ${what}`);
}

function admitted(admissions: Inspection['admissions']): string {
  if (admissions === null) return 'not known: the node does not search its logs, or other code wrote them';
  const named = admissions.map(({ kind, address }) => `the ${kind} ${address}`).join(', ');
  return named || 'no other policy or settlement';
}

function told({ holders, named, fixed }: RoleFinding): string {
  const who = holders.addresses.join(', ') || 'nobody';
  const [only] = holders.addresses;
  const notes = [
    fixed ? 'for good' : '',
    only !== undefined && holders.addresses.length === 1 && same(only, named)
      ? ''
      : `first given to ${named}`,
    ...holders.waiting.map(({ who: heir, from }) => `${heir} from ${time(from)} on`),
    ...holders.delayed.map(
      ({ who: slow, delay }) => `${slow} with a delay of ${delay} s, by which the contracts count it as none`,
    ),
    holders.complete ? '' : 'others may hold it: the node does not search its logs',
  ].filter((note) => note !== '');
  return notes.length === 0 ? who : `${who}  (${notes.join('; ')})`;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

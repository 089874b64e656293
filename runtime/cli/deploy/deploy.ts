import { resolve } from 'node:path';
import { Command } from 'commander';
import { formatEther } from 'viem';
import { deploymentFile } from '../../../chain/deploy/deployment-file.ts';
import { MULTICALL3 } from '../../../chain/deploy/multicall3-code.ts';
import { openNode } from '../../../chain/deploy/rollout/node.ts';
import { rollOut } from '../../../chain/deploy/rollout/roll-out.ts';
import { readConfig, requireStrongSigner } from '../../config/config.ts';
import { privateKeyOf } from '../../config/role-keys.ts';
import { StartError } from '../../config/start-error.ts';
import { cancelCommand, rotateCommand } from './deploy-roles.ts';
import { printInspection, statusCommand } from './deploy-status.ts';
import { addressOf, type Env, feeOf, onChain, type Target, targetOf, withNode } from './deploy-target.ts';

interface DeployFlags extends Target {
  readonly admin?: string;
  readonly minter?: string;
  readonly recorder?: string;
  readonly guardian?: string;
  readonly issuer?: string;
  readonly treasury?: string;
  readonly token?: string;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly maxFee: string;
}

/** `deploy`: puts the contracts on a remote chain, and shows who holds which role there. */
export function deployCommand(env: Env): Command {
  const deploy = onChain(new Command('deploy'))
    // Options after a subcommand belong to the subcommand.
    .enablePositionalOptions()
    .description('Put the contracts on any EVM chain, see who may do what there, and hand it over.')
    .option('--admin <address>', 'grants and takes the roles; default: the deployer')
    .option('--minter <address>', 'mints agents: the address of MINTER_PRIVATE_KEY of the service')
    .option('--recorder <address>', 'anchors records: the address of RECORDER_PRIVATE_KEY')
    .option('--guardian <address>', 'may stop session keys for 72 hours, and end them')
    .option(
      '--issuer <address>',
      'issues certificates of real-world lots: the address of OPERATOR_PRIVATE_KEY',
    )
    .option('--treasury <address>', "withdraws the platform's fees; default: PAY_TO, or the deployer")
    .option('--token <address>', 'the USDC that stands there; without it, test money on test networks only')
    .option('--out <file>', 'the deployment file; default: deployment-<chain>.json in DATA_DIR')
    .option('--max-fee <gwei>', 'the most that is offered for one gas', '200')
    .option('--dry-run', 'say what would be sent and what it may cost; send nothing')
    .option(
      '--json',
      'one line of JSON at the end: { file, chainId, transactions, … }; progress on standard error',
    )
    .addHelpText(
      'after',
      `
The key that pays is DEPLOYER_PRIVATE_KEY or OPERATOR_PRIVATE_KEY of the environment. Run again after any failure: it
goes on where it ended, and sends nothing when all stands. Outside production a role's key may be unset: it is the operator's
then. Of the service's two chains, agents and records are on 1002; on 84532 it takes payments alone and uses no role.
docs/deployment.md tells the rest.

Examples:
  npm run -s handshake -- deploy --rpc https://rpc.example --chain 1002 --dry-run
  npm run -s handshake -- deploy --rpc https://rpc.example --chain 1002 --admin 0x… --minter 0x… --recorder 0x… \\
      --guardian 0x… --issuer 0x… --treasury 0x… --token 0x…
  npm run -s handshake -- deploy status --rpc https://rpc.example --chain 1002
  npm run -s handshake -- deploy rotate guardian 0x… --rpc https://rpc.example --chain 1002
  npm run -s handshake -- deploy cancel guardian 0x… --rpc https://rpc.example --chain 1002`,
    )
    .action(async (flags: DeployFlags) => {
      await run(env, flags);
    });
  deploy.addCommand(statusCommand(env));
  deploy.addCommand(rotateCommand(env));
  deploy.addCommand(cancelCommand(env));
  return deploy;
}

async function run(env: Env, flags: DeployFlags): Promise<void> {
  const config = readConfig(env);
  const { rpcUrl, chainId } = targetOf(flags);
  const deployerPrivateKey = config.deployerPrivateKey ?? privateKeyOf(config, 'operator');
  if (deployerPrivateKey === null)
    throw new StartError('Set DEPLOYER_PRIVATE_KEY or OPERATOR_PRIVATE_KEY: the key that pays and signs.');
  requireStrongSigner(config);
  const named = Object.fromEntries(
    (['admin', 'minter', 'recorder', 'guardian', 'issuer', 'treasury'] as const).flatMap((role) => {
      const given = flags[role] ?? (role === 'treasury' ? config.payTo : null);
      return given ? [[role, addressOf(given, `--${role}`)]] : [];
    }),
  );
  const file = flags.out ? resolve(flags.out) : deploymentFile(config.dataDir, chainId);
  const say = (line: string) => (flags.json === true ? console.error : console.log)(line);
  await withNode(rpcUrl, async () => {
    const done = await rollOut({
      rpcUrl,
      chainId,
      deployerPrivateKey,
      roles: named,
      token: flags.token ? addressOf(flags.token, '--token') : null,
      file,
      maxFeePerGas: feeOf(flags.maxFee),
      dryRun: flags.dryRun === true,
      say,
    });
    if (flags.json === true) return console.log(reportOf({ file, chainId, ...done }));
    if (done.inspection === null) {
      console.log(`\nNothing was sent: this was a dry run on chain ${chainId}.`);
      return;
    }
    console.log(
      done.transactions === 0
        ? 'Everything stands already: no transaction was sent.\n'
        : `\n${done.transactions} transactions, ${done.gasUsed} gas, ${formatEther(done.cost)} coin.\n`,
    );
    printInspection(done.deployment, done.inspection);
    await sayWhatIsAbsent(rpcUrl, chainId);
    console.log(`\nThe deployment file is ${file}`);
  });
}

/** As JSON, with whole numbers beyond 2^53 as decimals. */
function reportOf({ deployment: _, ...report }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(report, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));
}

/**
 * Warns when Multicall3 is absent: payment clients ask it for many values at once, and cannot say without it why a
 * payment failed.
 */
async function sayWhatIsAbsent(rpcUrl: string, chainId: number): Promise<void> {
  const node = await openNode(rpcUrl, chainId);
  if ((await node.code(MULTICALL3)) !== '0x') return;
  console.log(
    `\nMulticall3 is absent at ${MULTICALL3}: all works, but payment clients lose the reason of a failed payment.`,
  );
}

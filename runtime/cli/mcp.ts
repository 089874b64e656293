import { readFileSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { parseUsd } from '../../agents/money.ts';
import { readConfig } from '../config/config.ts';
import { isPlainAndRemote } from '../config/hosts.ts';
import { StartError } from '../config/start-error.ts';
import { findRunning } from '../embedded/running.ts';
import type { Starters } from './starters.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Options {
  readonly url?: string;
  readonly keyFile?: string;
  readonly payUpTo: string;
  readonly network: string;
}

/** `mcp`: the tools of a service over standard input and output, for programs that start their MCP servers themselves. */
export function mcpCommand(env: Env, starters: Starters): Command {
  return new Command('mcp')
    .description('Offer the tools of a service to an AI agent, over standard input and output (MCP).')
    .option('--url <base>', 'the service; default: the one that runs on DATA_DIR, or BASE_URL')
    .option('--key-file <file>', 'a private key that signs what its wallet is asked to sign; mode 0600')
    .option('--pay-up-to <usd>', 'what that key may pay for answers, in all; without it nothing', '0')
    .option('--network <caip2>', 'on which network it pays', 'eip155:84532')
    .addHelpText(
      'after',
      `
Without a key, tools answer what is to be signed or paid, and the caller signs. With one, every act that the agent asks
for is signed: the caps of its mandate are what limits it. The key is neither logged nor sent. It signs no text but the
one for the very call, from the service at --url as that service names itself, and nothing over plain http, but on this
machine.

Examples:
  npm run -s handshake -- mcp
  npm run -s handshake -- mcp --url https://handshake.example --key-file owner.key --pay-up-to 1`,
    )
    .action(async (options: Options) => {
      const config = readConfig(env);
      const running = findRunning(config.dataDir)?.baseUrl ?? (env.BASE_URL ? config.baseUrl : null);
      const baseUrl = options.url?.replace(/\/$/, '') ?? running;
      if (baseUrl === null)
        throw new StartError(
          `No service runs on ${config.dataDir}: start one with "npm start", or give --url.`,
        );
      if (!URL.canParse(baseUrl))
        throw new StartError('--url must be a whole URL, with http:// or https://.');
      if (options.keyFile !== undefined && isPlainAndRemote(baseUrl))
        throw new StartError(
          `Anybody between could have the key sign what they like at ${baseUrl}: give --url with https://, or leave --key-file out.`,
        );
      await starters.mcp({
        baseUrl,
        privateKey: options.keyFile === undefined ? null : readKey(options.keyFile),
        budget: parseUsd(options.payUpTo, '--pay-up-to'),
        networks: [options.network],
      });
    });
}

/** @throws StartError that names the file and never shows what is in it */
function readKey(file: string): `0x${string}` {
  let text: string;
  try {
    if ((statSync(file).mode & 0o077) !== 0)
      throw new StartError(`Others can read ${file}: "chmod 600 ${file}" first.`);
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${file} cannot be read.`);
  }
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    throw new StartError(`${file} holds no private key of 0x and 64 hex digits.`);
  return text as `0x${string}`;
}

import { privateKeyToAccount } from 'viem/accounts';
import { serveMcpOverStdio } from '../api/mcp/stdio.ts';
import type { McpSettings } from './cli/starters.ts';
import { VERSION } from './config/version.ts';

/** Serves the tools of a service over standard input and output until the input ends. It starts no service. */
export async function startMcp({ baseUrl, privateKey, budget, networks }: McpSettings): Promise<void> {
  const signer = privateKey === null ? null : { account: privateKeyToAccount(privateKey), budget, networks };
  await serveMcpOverStdio({ baseUrl, version: VERSION, signer });
}

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { mcpServer } from './mcp-server.ts';
import { operationsOf } from './operations.ts';
import { type OwnSigner, ownSigner, repeatingPayments } from './own-signer.ts';
import { fetchedWire } from './wire.ts';

export interface StdioOptions {
  /** The service whose tools are offered, without a trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
  /** Whose key signs owners' acts and pays; null where the caller signs itself. */
  readonly signer: Omit<OwnSigner, 'baseUrl'> | null;
}

/**
 * Serves the tools of a service over standard input and output, until the input ends. Nothing else may be written to
 * standard output.
 * @throws Error when the service does not answer
 */
export async function serveMcpOverStdio({ baseUrl, version, signer }: StdioOptions): Promise<void> {
  const answer = await fetch(`${baseUrl}/openapi.json`);
  const operations = operationsOf(await answer.json());
  const plain = fetchedWire(baseUrl);
  const means =
    signer === null
      ? { wire: plain }
      : { wire: repeatingPayments(plain), sign: ownSigner({ ...signer, baseUrl }) };
  const server = mcpServer({ version, operations, ...means });
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}

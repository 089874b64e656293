import { createInterface } from 'node:readline';
import { privateKeyToAccount } from '../account.ts';
import { type Message, mcpTools } from '../mcp.ts';

/** The streams and settings of the process that bridges. */
export interface BridgeProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
}

/**
 * Offers the tools of a service to a program that speaks MCP over standard input and output, until the input ends.
 * `safe-handshake-mcp <url>`; `PAYER_PRIVATE_KEY` pays for tools, at most `PAY_UP_TO` dollars in all. It never signs an
 * owner's act.
 * @throws TypeError when no URL is given
 */
export async function bridgeStdio({ argv, env, stdin, stdout }: BridgeProcess): Promise<void> {
  const [, , url = ''] = argv;
  const key = env.PAYER_PRIVATE_KEY;
  const account = key === undefined || key === '' ? undefined : privateKeyToAccount(key);
  const upTo = Number(env.PAY_UP_TO ?? '1');
  const tools = mcpTools(url, { account, budgetUsd: upTo, maxUsd: upTo });
  for await (const line of createInterface({ input: stdin })) {
    if (line.trim() === '') continue;
    const message = messageOf(line);
    const answer =
      message === null
        ? UNREADABLE
        : await tools.send(message).catch((error: Error) => failed(message, error));
    if (answer !== null) stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

/** JSON-RPC's own answer to what cannot be read: whoever wrote it does not end the bridge, nor what it holds. */
const UNREADABLE: Message = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'This line is no message of JSON-RPC.' },
};

function messageOf(line: string): Message | null {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' ? (read as Message | null) : null;
  } catch {
    return null;
  }
}

/** JSON-RPC's own code for an error inside the one who answers. */
const INTERNAL = -32_603;

function failed({ id }: Message, error: Error): Message | null {
  if (id === undefined) return null;
  return { jsonrpc: '2.0', id, error: { code: INTERNAL, message: error.message } };
}

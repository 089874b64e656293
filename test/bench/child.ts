import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { nodeOptions } from '../fixtures/node-options.ts';

export interface Child {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a script, by the service's options of Node, and waits for the address that it prints. @throws Error when it ends before */
export async function startChild(script: URL, ...args: string[]): Promise<Child> {
  const before = [...nodeOptions(), '--import', 'tsx'];
  const child = spawn(process.execPath, [...before, script.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`${script.pathname} ended with ${code}`)));
  });
  return { url, process: child, stop: () => ended(child, 'SIGTERM') };
}

/** Ends a process, hard after five seconds. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const hard = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exit;
  clearTimeout(hard);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

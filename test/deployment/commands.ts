import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Deployment } from '../../chain/deploy/deployment.ts';

const MAIN = new URL('../../runtime/bin.mjs', import.meta.url).pathname;

export interface Key {
  readonly privateKey: Hex;
  readonly address: Address;
}

export function freshKey(): Key {
  const privateKey = generatePrivateKey();
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

export interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** The command line as an operator runs it, one folder, one key. */
export class DeployDesk {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'deploy-desk-'));

  start(args: readonly string[], key: Key | null): Run {
    const env: NodeJS.ProcessEnv = { ...process.env, BASE_URL: '', DATA_DIR: this.dataDir };
    if (key) env.DEPLOYER_PRIVATE_KEY = key.privateKey;
    const child = spawn(process.execPath, [MAIN, 'deploy', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const ended = new Promise<number | string>((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown')),
    );
    return { child, output: () => output, ended };
  }

  async run(args: readonly string[], key: Key | null): Promise<{ code: number | string; output: string }> {
    const { ended, output } = this.start(args, key);
    return { code: await ended, output: output() };
  }

  file(chainId: number): string {
    return join(this.dataDir, `deployment-${chainId}.json`);
  }

  deployment(chainId: number): Deployment | null {
    const file = this.file(chainId);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Deployment) : null;
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

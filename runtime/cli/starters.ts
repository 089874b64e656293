import type { Config } from '../config/config.ts';

/** A service that runs in this process. */
export interface ServiceHandle {
  readonly baseUrl: string;
  /** Names and values to show a person. */
  readonly facts: readonly (readonly [string, string])[];
  stop(): Promise<void>;
}

/** A worker that runs in this process. */
export type WorkerHandle = Pick<ServiceHandle, 'facts' | 'stop'>;

/** What the program that offers tools over standard input and output is started with. */
export interface McpSettings {
  readonly baseUrl: string;
  /** Signs what its wallet is asked to sign; null where the caller signs. */
  readonly privateKey: `0x${string}` | null;
  /** What the key may pay in all, in micro-dollars. */
  readonly budget: bigint;
  /** Networks by CAIP-2 on which it pays. */
  readonly networks: readonly string[];
}

/**
 * Functions that start the program's processes, passed to the command line. Only the composition root knows how the
 * parts fit together, and a command that starts nothing loads none of them.
 */
export interface Starters {
  /** @throws StartError with one sentence, after stopping whatever had started */
  service(config: Config, options: { say: (line: string) => void; worker?: boolean }): Promise<ServiceHandle>;
  /** @throws StartError that names every missing setting */
  worker(config: Config, options: { concurrency: number; version: string }): Promise<WorkerHandle>;
  /** Ends when standard input does. */
  mcp(settings: McpSettings): Promise<void>;
}

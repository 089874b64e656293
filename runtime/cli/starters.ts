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

/**
 * Functions that start the program's processes, passed to the command line. Only the composition root knows how the
 * parts fit together, and a command that starts nothing loads none of them.
 */
export interface Starters {
  /** @throws StartError with one sentence, after stopping whatever had started */
  service(config: Config, options: { say: (line: string) => void; worker?: boolean }): Promise<ServiceHandle>;
  /** @throws StartError that names every missing setting */
  worker(config: Config, options: { concurrency: number; version: string }): Promise<WorkerHandle>;
}

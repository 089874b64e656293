import { runCommandLine } from './cli/main.ts';

// Whatever this program and those it starts write is its user's alone, from the first byte on.
process.umask(0o077);

// The one place that reads the environment. The service is loaded by the commands that start it.
await runCommandLine(process.argv, process.env, {
  service: async (config, options) => (await import('./main.ts')).startService(config, options),
  worker: async (config, options) =>
    (await import('./worker-process.ts')).startWorkerProcess(config, options),
  mcp: async (settings) => (await import('./mcp-process.ts')).startMcp(settings),
});

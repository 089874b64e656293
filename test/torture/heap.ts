import { heapUsed } from '../fixtures/heap-used.ts';

/** Loaded before a service: on SIGUSR2 it collects what is no longer used, and writes how much is left. */
process.on('SIGUSR2', async () => {
  process.stdout.write(`heap used ${await heapUsed()}\n`);
});

import { defineConfig } from 'vitest/config';

/** Unit tests beside the code need no parts; `parts` starts one Postgres for the run and an anvil where a file asks. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{agents,runtime,api,chain,store}/**/*.test.ts'],
          exclude: ['**/*.parts.test.ts'],
          // Time decides nothing: a machine that is busy gets the time it takes.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts', '{runtime,api,chain,store}/**/*.parts.test.ts'],
          globalSetup: ['test/fixtures/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 420_000,
          // They mostly wait: for blocks, for processes that start and end.
          maxWorkers: 3,
          // Projects with limits of their own must run in groups of their own.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

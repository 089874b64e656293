import { defineConfig } from 'vitest/config';
import LongestFirst from './test/fixtures/longest-first.ts';

/** What takes minutes: processes that die at one point after another, requests that wait their limit out. By command. */
const LONG = [
  'test/deployment/hand-over.test.ts',
  'test/deployment/resume.test.ts',
  'test/faults/auction-crash.test.ts',
  'test/faults/certificate-crash.test.ts',
  'test/faults/ledger-crash.test.ts',
  'test/faults/owner-act-crash.test.ts',
  'test/faults/reorg.test.ts',
  'test/faults/runtime/point-in-time-restore.test.ts',
  'test/faults/service-crash.test.ts',
  'test/journeys/agents/agents-of-agents.test.ts',
  'test/journeys/service/start-stop.test.ts',
  'test/journeys/wire/wire-deadline.test.ts',
  'test/leaks/service-leaks.test.ts',
  'test/mutation/sample.test.ts',
  'test/properties/forged-payments-all.test.ts',
  'test/properties/mandate-steps-all.test.ts',
  'test/torture/away.test.ts',
  'test/torture/deals.test.ts',
  'test/torture/races.test.ts',
  'test/torture/service.test.ts',
];

/** They replace modules, which must be loaded anew for them, and for nobody after them. */
const REPLACING = [
  'test/determinations/reader-faults.test.ts',
  'test/simulator/sabotage-owners.test.ts',
  'test/simulator/sabotage.test.ts',
];

/** Reads files alone: no part of the service runs. */
const DOCUMENTS = 'test/docs/documents.test.ts';

/** One of each kind, in a few minutes: what `npm test` runs beside the unit tests. */
const CORE = [
  'test/contracts/short.test.ts',
  'test/contracts/artefacts.test.ts',
  'test/journeys/trading.test.ts',
  'test/browser/picture.test.ts',
  'test/faults/runtime/dead-letters.test.ts',
  'test/faults/runtime/mailbox-batches.test.ts',
  'test/faults/runtime/runtime-crash.test.ts',
  'test/faults/runtime/runtime-effects.test.ts',
  'test/faults/runtime/runtime-groups.test.ts',
  'test/store/**/*.test.ts',
];

const parts = {
  globalSetup: ['test/fixtures/global-setup.ts'],
  testTimeout: 180_000,
  hookTimeout: 420_000,
  // They often wait: for blocks, for processes that start and end.
  maxWorkers: 4,
};

/** Unit tests beside the code need no parts; the others start one Postgres for the run and an anvil where a file asks. */
export default defineConfig({
  test: {
    reporters: ['./test/fixtures/failed-in-short.ts', 'default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{agents,client,runtime,api,chain,store,extension}/**/*.test.ts', DOCUMENTS],
          exclude: ['**/*.parts.test.ts'],
          // Time decides nothing: a machine that is busy gets the time it takes.
          testTimeout: 60_000,
          // They keep nothing in modules; to load these anew for each file takes as long as the tests do.
          isolate: false,
        },
      },
      {
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts', '{client,runtime,api,chain,store}/**/*.parts.test.ts'],
          exclude: [...LONG, ...REPLACING, ...CORE, DOCUMENTS],
          ...parts,
          // What they share are processes: to load modules anew for each file takes a sixth of the time.
          isolate: false,
          // Projects with limits of their own must run in groups of their own.
          sequence: { groupOrder: 2 },
        },
      },
      { test: { name: 'core', include: CORE, ...parts, sequence: { groupOrder: 1 } } },
      {
        test: {
          name: 'long',
          include: [...LONG, ...REPLACING],
          ...parts,
          // Whole services, several of a file at once, which must keep to times of their own.
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});

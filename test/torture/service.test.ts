import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tortureByLoad } from './load/torture-load.ts';
import { tortureByRequests } from './requests/torture-requests.ts';
import { tortureBySoak } from './soak/torture-soak.ts';
import { type TortureStage, tortureStage } from './stage.ts';

/** The short form of `npm run torture`, on one service. Times are not judged here. */

const SEED = 'short';
const REQUESTS = 1_500;

let stage: TortureStage;

beforeAll(async () => {
  stage = await tortureStage();
}, 420_000);
afterAll(() => stage?.stop());

function told(sums: object): void {
  process.stdout.write(`${JSON.stringify(sums)}\n`);
}

describe('a service', { timeout: 420_000 }, () => {
  it('answers every request that its description allows, and those that it does not, without an error of its own', async () => {
    const { faults, ...sums } = await tortureByRequests(stage, SEED, REQUESTS);
    told(sums);
    expect(faults).toEqual([]);
  });

  it('serves or says when to come again while twice what it does arrives, and charges for what it answered', async () => {
    const { faults, ...sums } = await tortureByLoad(stage, { seconds: 3, timed: false });
    told(sums);
    expect(faults).toEqual([]);
  });

  it('reads, is paid and trades for a while beside nonsense, and nothing fails', async () => {
    const { faults, ...sums } = await tortureBySoak(stage, SEED, { minutes: 0.1, timed: false });
    told(sums);
    expect(faults).toEqual([]);
  });
});

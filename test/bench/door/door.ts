import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { fundGas } from '../../../chain/devnet/dev-wallets.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning, type RunningService } from '../../../runtime/embedded/running.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { serviceFolder } from '../../fixtures/service.ts';
import { type Child, startChild } from '../child.ts';
import { press } from '../press.ts';
import { type BenchRow, quantile } from '../row.ts';
import { type Effort, time } from '../timing.ts';
import { benchGroups } from './groups.ts';
import { paying } from './paying.ts';
import type { PaywallTerms } from './paywall.ts';
import { queryOf } from './query.ts';

const PAID: Effort = { rounds: 6, single: 12, many: 48, callers: 8 };
const UNPAID_ROUNDS = 7;
const UNPAID_MS = 1_000;
const GOAL_PAID = 1.4;
const GOAL_UNPAID = 1.2;

/**
 * A paid wallet determination of the whole service against paywalls of `@x402/express` and `@x402/hono` before an empty
 * handler: three processes on the same chains through the same facilitator, a fourth process, which take turns.
 */
export async function benchDoor(): Promise<BenchRow[]> {
  const folder = await serviceFolder({ guarded: false });
  const children: Child[] = [];
  const rows: BenchRow[] = [];
  try {
    const port = await freePort();
    const facilitatorUrl = `http://127.0.0.1:${port}/facilitator`;
    const service = await folder.start({ FACILITATOR_URL: facilitatorUrl });
    const running = findRunning(folder.dataDir) as RunningService;
    const facilitator = await facilitatorOf(running, port);
    children.push(facilitator);
    const terms = termsOf(running, facilitatorUrl);
    for (const script of ['./paywall-express.ts', './paywall-hono.ts'])
      children.push(await startChild(new URL(script, import.meta.url), JSON.stringify(terms)));
    const payer = `0x${randomBytes(32).toString('hex')}` as const;
    await fund({ DATA_DIR: folder.dataDir }, privateKeyToAccount(payer).address, '1000');

    const doors = [service.baseUrl, children[1]!.url, children[2]!.url];
    rows.push(...(await unpaid(doors)), ...(await paid(doors, payer)));
  } finally {
    for (const child of children.reverse()) await child.stop();
    await folder.remove();
  }
  return [...rows, ...(await benchGroups())];
}

const NAMES = ['the service', '@x402/express', '@x402/hono'] as const;

async function facilitatorOf({ chains }: RunningService, port: number): Promise<Child> {
  const key = `0x${randomBytes(32).toString('hex')}` as const;
  const rpcs = Object.entries(chains).map(([id, { rpcUrl }]) => [id, rpcUrl] as const);
  for (const [, rpcUrl] of rpcs) await fundGas(rpcUrl, privateKeyToAccount(key).address, 10n ** 21n);
  return await startChild(
    new URL('./facilitator-process.ts', import.meta.url),
    String(port),
    key,
    ...rpcs.map((r) => r.join('=')),
  );
}

function termsOf({ chains }: RunningService, facilitatorUrl: string): PaywallTerms {
  return {
    facilitatorUrl,
    payTo: chains['1002']!.treasury,
    networks: Object.entries(chains).map(([id, { usdc, usdcName, usdcVersion }]) => ({
      chainId: Number(id),
      asset: usdc,
      name: usdcName,
      version: usdcVersion,
    })),
  };
}

/** The latency of one at a time decides; signing is done beforehand. */
async function paid(doors: readonly string[], payer: `0x${string}`): Promise<BenchRow[]> {
  const each = (PAID.rounds + 1) * (PAID.single + PAID.many + PAID.callers);
  const subjects = await Promise.all(doors.map((door) => paying(door, payer, each)));
  const [own, ...peers] = await time(subjects, PAID);
  const best = Math.min(...peers.map((p) => p.p50Ms));
  const ratio = own!.p50Ms / best;
  const line = (name: string) => `paid wallet determination, ${name}`;
  return [
    ...peers.map((times, i) => ({ name: line(NAMES[i + 1]!), ...times })),
    {
      name: line(NAMES[0]),
      ...own!,
      ratio,
      goal: `p50 at most ${GOAL_PAID} of the quicker one's`,
      ok: ratio <= GOAL_PAID,
    },
  ];
}

async function unpaid(doors: readonly string[]): Promise<BenchRow[]> {
  const loads = doors.map((): { perSecond: number; p50Ms: number; p99Ms: number }[] => []);
  for (let round = -1; round < UNPAID_ROUNDS; round++) {
    for (const [i, door] of doors.entries()) {
      const load = await press(door + queryOf(0), { connections: 8, milliseconds: UNPAID_MS, status: 402 });
      if (round >= 0) loads[i]!.push(load);
    }
  }
  const [own, ...peers] = loads.map((of) => ({
    p50Ms: quantile(
      of.map((l) => l.p50Ms),
      0.5,
    ),
    p99Ms: quantile(
      of.map((l) => l.p99Ms),
      0.5,
    ),
    perSecond: quantile(
      of.map((l) => l.perSecond),
      0.5,
    ),
  }));
  const best = Math.min(...peers.map((p) => p.p50Ms));
  const ratio = own!.p50Ms / best;
  const line = (name: string) => `unpaid 402, ${name}`;
  return [
    ...peers.map((times, i) => ({ name: line(NAMES[i + 1]!), ...times })),
    {
      name: line(NAMES[0]),
      ...own!,
      ratio,
      goal: `p50 at most ${GOAL_UNPAID} of the quicker one's`,
      ok: ratio <= GOAL_UNPAID,
    },
  ];
}

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { type EmbeddedServer, startPostgres } from '../../../store/embedded.ts';
import {
  runCommand,
  type ServiceFolder,
  type ServiceProcess,
  serviceFolder,
} from '../../fixtures/service.ts';
import { type Agent, type Story, storyOn } from '../../fixtures/story-stage.ts';

/**
 * Drills docs/runbook.md, "Backup, and back to a point in time", with the steps of Postgres' manual 25.3: the embedded
 * programs come without `pg_basebackup`, so the base backup is made by its low-level interface.
 */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const randomHex = (n: number): string => randomBytes(n).toString('hex');
const LONG = { timeoutMs: 120_000 };

let base: string;
let archive: string;
let server: EmbeddedServer;
let folder: ServiceFolder;
let service: ServiceProcess;
let story: Story;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'handshake-restore-'));
  archive = join(base, 'archive');
  mkdirSync(archive);
  // The server may run as another user.
  for (const path of [base, archive]) chmodSync(path, 0o777);
  server = await startPostgres({
    dataDir: join(base, 'first'),
    randomHex,
    flags: ['-c archive_mode=on', `-c "archive_command=cp %p ${archive}/%f"`],
  });
  folder = await serviceFolder();
  service = await folder.start({ DATABASE_URL: server.url });
  story = storyOn(folder);
  await story.importLists();
});
afterAll(async () => {
  await folder?.remove();
  await server?.stop();
  rmSync(base, { recursive: true, force: true });
});

async function ask<T extends object>(statement: string, url = server.url): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows[0]!;
  } finally {
    await client.end();
  }
}

/** Copies the running cluster, with what a restore needs to know of it. @returns the folder of the copy */
async function baseBackup(): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ dir: string }>("select current_setting('data_directory') as dir");
    const copy = join(base, 'backup');
    await client.query("select pg_backup_start('drill', true)");
    const env = { ...process.env, LC_ALL: 'C' };
    const copied = spawnSync('cp', ['-a', realpathSync(rows[0]!.dir), copy], { encoding: 'utf8', env });
    // Files may go while they are copied, which is no error (Postgres's manual, Making a Base Backup).
    const gone = /^cp: cannot .*: No such file or directory$/;
    expect(copied.stderr.split('\n').filter((line) => line !== '' && !gone.test(line))).toEqual([]);
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    for (const left of ['postmaster.pid', 'postmaster.opts', 'pg_wal'])
      rmSync(join(copy, left), { recursive: true, force: true });
    writeFileSync(join(copy, 'backup_label'), stopped.rows[0]!.labelfile);
    return copy;
  } finally {
    await client.end();
  }
}

/** Starts a second server on the backup, brought forward by the archive to a moment. */
async function restored(backup: string, at: string): Promise<EmbeddedServer> {
  const dataDir = join(base, 'second');
  const place = join(dataDir, 'postgres');
  const cluster = join(place, 'cluster');
  mkdirSync(place, { recursive: true });
  copyFileSync(join(base, 'first', 'postgres', 'password'), join(place, 'password'));
  execFileSync('cp', ['-a', backup, cluster]);
  mkdirSync(join(cluster, 'pg_wal'), { mode: 0o700 });
  writeFileSync(join(cluster, 'recovery.signal'), '');
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'
recovery_target_time = '${at}'
recovery_target_action = 'promote'
`,
  );
  execFileSync('chown', ['-R', `--reference=${backup}`, cluster]);
  const second = await startPostgres({ dataDir, randomHex });
  const isPromoted = async () =>
    (await ask<{ on: boolean }>('select pg_is_in_recovery() as on', second.url)).on ? null : true;
  await until('its promotion', isPromoted, LONG);
  return second;
}

const settledDeals = async (): Promise<number> =>
  Number((await ask<{ n: string }>("select count(*) as n from deals where state = 'recorded'")).n);

const settled = (count: number) =>
  until(`${count} deals settled`, async () => ((await settledDeals()) === count ? true : null), LONG);

const env = (): Record<string, string> => ({ ...folder.env, DATABASE_URL: server.url });

async function verify() {
  const { code, stdout } = await runCommand(['operator', 'log', 'verify', '--json'], { env: env() });
  const told = JSON.parse(stdout) as { entries: number; anchoredUpTo: number | null; faults: string[] };
  return { code, ...told };
}

const sessionKeyOf = async ({ handle }: Agent): Promise<string> =>
  (await ask<{ key: string }>(`select session_key as key from agents where handle = '${handle}'`)).key;

interface Finding {
  readonly state: string;
  readonly says: string;
}

async function reconcile(...options: string[]): Promise<Finding[]> {
  const ran = await runCommand(['restore', 'reconcile', '--json', ...options], { env: env() });
  expect(ran.code, ran.stderr).toBe(0);
  return ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
}

it('a restore to a moment loses what came after it in the database alone, does nothing twice, and says what is missing', async () => {
  const [seller, buyer] = [await story.proceedingOwner(), await story.proceedingOwner()];
  const goods = 'digital products, max 500 USDC per deal, for 30 days.';
  const selling: Agent = await story.assemble(seller, 'seller-one', `Sell ${goods}`);
  const buying: Agent = await story.assemble(buyer, 'buyer-one', `Buy ${goods}`);
  await story.give(buyer, buying.account, 1_000);
  const list = () => story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
  const lots = [await list(), await list(), await list()] as const;
  // A buyer who is asked where something could not be judged, and its deal.
  const asked = await story.owner();
  await story.api.signedPost(asked, '/settings', { wallet: asked.address, onInconclusive: 'ask' });
  const asking: Agent = await story.assemble(asked, 'asked-buyer', `Buy ${goods}`);
  await story.give(asked, asking.account, 200);
  const underWay = await list();
  const buy = async (lot: (typeof lots)[number]): Promise<void> => {
    const { status, body } = await story.order(buyer, buying, lot, 110);
    expect(status, JSON.stringify(body)).toBe(201);
  };
  const backup = await baseBackup();
  await buy(lots[0]);
  await settled(1);
  const placed = await story.order(asked, asking, underWay, 110);
  const { dealId } = placed.body.match as { dealId: string };
  const stateOf = (state: string) =>
    until(
      `the deal ${state}`,
      async () => {
        const deal = await ask<{ state: string }>(`select state from deals where deal_id = '${dealId}'`);
        return deal.state === state ? true : null;
      },
      LONG,
    );
  const decide = async (decision: 'proceed' | 'stop'): Promise<void> => {
    const { status, body } = await story.api.signedPost(asked, `/deals/${dealId}/decision`, {
      handle: asking.handle,
      decision,
    });
    expect(status, JSON.stringify(body)).toBe(202);
  };
  await stateOf('awaiting-owner');
  // A page that is open at the moment and paid after it, and one that is opened after it, too.
  const late = await story.owner();
  const open = await story.openCheckout(late, 'paid-later', `Buy ${goods}`);
  const { at } = await ask<{ at: string }>('select clock_timestamp()::text as at');

  await decide('proceed');
  await stateOf('recorded');
  await buy(lots[1]);
  await settled(3);
  await story.pay(open);
  const bought: Agent = await story.minted(open);
  const lostPage = await story.openCheckout(late, 'never-known', `Buy ${goods}`);
  await story.pay(lostPage);
  const lost: Agent = await story.minted(lostPage);
  const [keyOfBought, keyOfLost] = [await sessionKeyOf(bought), await sessionKeyOf(lost)];
  const create = ['operator-key', 'create', '--name', 'desk', '--scope', 'queues'];
  const made = await runCommand(create, { env: env() });
  expect(made.code, made.stderr).toBe(0);
  const isAnchored = async () => {
    const told = await verify();
    return told.anchoredUpTo === told.entries ? told : null;
  };
  const whole = await until('the act on the ledger', isAnchored, LONG);
  expect([whole.code, whole.faults]).toEqual([0, []]);
  await ask('select pg_switch_wal()');
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await server.stop();

  server = await restored(backup, at);
  expect(await settledDeals()).toBe(1);
  service = await folder.start({ DATABASE_URL: server.url });
  const told = await verify();
  expect([told.code, told.entries]).toEqual([1, whole.entries - 1]);
  expect(told.faults[0]).toMatch(/^the ledger has 0x[0-9a-f]{64}, which is neither an entry nor a batch/);

  // Money and goods of the deal that the database has forgotten are where that deal left them.
  const chain = story.chain();
  expect([await chain.settlements(), await chain.mints()]).toEqual([3, 5]);

  // Its webhook does not come again: the card processor is asked, and the agent is found, with the key that it was given.
  expect((await story.api.get(`/agent/checkout/${open.checkoutId}`)).body.status).toBe('awaiting-payment');
  const planned = await reconcile('--dry-run');
  const rest = (findings: Awaited<ReturnType<typeof reconcile>>) =>
    findings.filter(({ says }) => !says.includes(open.checkoutId));
  expect(planned.find(({ says }) => says.includes(open.checkoutId))?.state).toBe('due');
  expect((await story.api.get(`/agent/checkout/${open.checkoutId}`)).body.status).toBe('awaiting-payment');
  expect(rest(planned).map(({ state, says }) => [state, says])).toEqual([
    [
      'by-hand',
      expect.stringMatching(new RegExp(`^agent ${lost.tokenId} of ${late.address} .* that is not here`)),
    ],
    ['by-itself', expect.stringContaining(`deal ${dealId} is told as settled`)],
    [
      'by-hand',
      expect.stringMatching(/^seller-one sold .* to buyer-one for 105 USDC .*: its deal is not here/),
    ],
  ]);
  const mended = await reconcile();
  expect(mended.find(({ says }) => says.includes(open.checkoutId))).toMatchObject({
    state: 'done',
    says: expect.stringContaining(`its agent ${bought.tokenId} is on chain`),
  });
  expect(rest(mended)).toEqual(rest(planned));
  const { handle, account, tokenId } = bought;
  expect(await story.minted(open)).toMatchObject({ handle, account, tokenId });
  expect(await sessionKeyOf(bought)).toBe(keyOfBought);
  expect(rest(await reconcile())).toEqual(rest(planned));
  // The next agent gets a key of its own, though the database had forgotten which were given out.
  const next = await story.assemble(late, 'comes-after', `Buy ${goods}`);
  const keys = await ask<{ n: string }>('select count(distinct session_key) as n from agents');
  expect([keys.n, (await ask<{ n: string }>('select count(*) as n from agents')).n]).toEqual(['5', '5']);
  expect(await sessionKeyOf(next)).not.toBe(keyOfLost);
  expect(await chain.mints()).toBe(6);

  // It was settled after the point, so that nobody can stop it any more, whoever says so.
  await stateOf('awaiting-owner');
  await decide('stop');
  await stateOf('recorded');
  expect((await chain.ownerOf(underWay)).toLowerCase()).toBe(asking.account.toLowerCase());
  await buy(lots[2]);
  await settled(3);
  expect([await chain.settlements(), await chain.mints()]).toEqual([4, 6]);
  expect(await chain.usdcOf(buying.account)).toBe(1_000_000_000n - 3n * 105_000_000n);
  for (const lot of lots) expect((await chain.ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
});

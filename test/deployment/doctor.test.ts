import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { encodeFunctionData } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessManagerAbi } from '../../chain/abi/access-manager.ts';
import { ROLE_IDS } from '../../chain/deploy/roles.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { until } from '../../runtime/cli/demo/client.ts';
import { examine } from '../../runtime/cli/doctor/doctor.ts';
import type { Finding } from '../../runtime/cli/doctor/finding.ts';
import { forgetProcess, tellProcess } from '../../store/durable/processes.ts';
import { heartbeat } from '../../store/durable/workers.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { redisPresent, type TestRedis, testRedis } from '../fixtures/servers/redis.ts';
import { serviceFolder } from '../fixtures/service.ts';

/** The doctor beside parts that really run, are behind, or are not there. */

const dataDir = mkdtempSync(join(tmpdir(), 'doctor-parts-'));
let database: Awaited<ReturnType<typeof testDatabase>>;
let redis: TestRedis | null = null;
let [one, other] = [] as unknown as [TestChain, TestChain];
let env: Record<string, string>;

beforeAll(async () => {
  [database, one, other] = await Promise.all([testDatabase(), testChain(84532), testChain(84532)]);
  redis = redisPresent ? await testRedis() : null;
  env = {
    ...{ DATA_DIR: dataDir, DATABASE_URL: database.url, HEAD_AGE_84532: '86400', PORT: '0' },
    ...(redis === null ? {} : { REDIS_URL: redis.url }),
  };
});
afterAll(async () => {
  await redis?.stop();
  await one?.stop();
  await other?.stop();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function about(of: string, more: Record<string, string> = {}, now?: () => Date): Promise<Finding[]> {
  return (await examine({ ...env, ...more }, now)).filter((f) => f.of === of);
}
/** Chains that are not embedded need keys; these are used for nothing. */
const keys = {
  OPERATOR_PRIVATE_KEY: generatePrivateKey(),
  FACILITATOR_PRIVATE_KEY: generatePrivateKey(),
  SESSION_KEY_SEED: generatePrivateKey(),
};
/** Both nodes of a chain that is only asked about. */
const asked = (first: string, second: string) => ({ RPC_URL_84532: '', RPC_URL_8453: `${first},${second}` });

describe('the doctor', () => {
  it('finds the database well, its lists missing, then fresh, then too old', async () => {
    expect((await about('database'))[0]).toMatchObject({
      state: 'well',
      says: expect.stringMatching(/PostgreSQL \d+/),
    });
    const open = async (more = {}) => (await about('lists', more)).map(({ state, says }) => [state, says]);
    const wallets = ['doubtful', 'sanctions is empty: every wallet and every deal is INCONCLUSIVE'];
    const goods = ['doubtful', 'stolen is empty: whether goods were stolen is INCONCLUSIVE'];
    expect(await open()).toEqual(expect.arrayContaining([wallets, goods]));
    expect(JSON.stringify(await open())).not.toContain('labels');
    // A register that others keep answers in its place.
    expect(await open({ STOLEN_LOOKUP_URL: 'https://registers.example/{key}' })).not.toContainEqual(goods);
    const list = (asOf: Date) => {
      const rows = (async function* () {
        for (let n = 0; n < 60; n++) yield { key: `0x${n.toString(16).padStart(40, '0')}`, detail: {} };
      })();
      return importRegister(database.db, { register: 'sanctions', source: 't', asOf, mode: 'replace', rows });
    };
    await list(new Date());
    expect((await about('lists'))[0]?.state).toBe('well');
    expect(await open()).toContainEqual(goods);
    expect(await open()).not.toContainEqual(wallets);
    await list(new Date('2020-01-01'));
    expect((await about('lists'))[0]).toMatchObject({
      ...{ state: 'doubtful', says: expect.stringContaining('stale') },
      remedy: expect.stringContaining('register refresh sanctions/t'),
    });
  });

  it('finds a clock that is wrong by the database’s', async () => {
    expect((await about('clock'))[0]?.state).toBe('well');
    const late = await about('clock', {}, () => new Date(Date.now() - 3_600_000));
    expect(late[0]).toMatchObject({ state: 'wrong', says: expect.stringContaining('3600 s behind') });
  });

  it('says that a database takes no writes, as one that a restore left in recovery', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const readOnly = (setting: string) =>
      sql.raw(`alter database ${name} set default_transaction_read_only = ${setting}`).execute(database.db);
    await readOnly('on');
    expect((await about('database'))[0]).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('takes no writes') },
    });
    const own = new pg.Client({
      connectionString: database.url,
      options: '-c default_transaction_read_only=off',
    });
    await own.connect();
    await own.query(`alter database ${name} reset default_transaction_read_only`);
    await own.end();
    expect((await about('database'))[0]).toMatchObject({ state: 'well' });
  });

  it('doubts where no worker was heard of lately', async () => {
    const nobody = { state: 'doubtful', says: expect.stringContaining('no worker') };
    expect(await about('workers')).toMatchObject([nobody]);
    const self = { id: 'w', host: 'h', pid: 1, concurrency: 4, leader: true, inHand: 0 };
    await heartbeat(database.db, self);
    expect(await about('workers')).toMatchObject([{ state: 'well', says: '1 worker serves' }]);
    await sql`update workers set seen_at = seen_at - interval '1 minute'`.execute(database.db);
    expect(await about('workers')).toMatchObject([nobody]);
  });

  it('calls wrong, by its name, what two processes take otherwise', async () => {
    const self = {
      ...{ id: 'p1', host: 'h', pid: 1, confirmations: 12 },
      ...{ head_age_1002: 60, head_age_84532: 60 },
    };
    await tellProcess(database.db, self);
    await tellProcess(database.db, { ...self, id: 'p2', pid: 2 });
    expect(await about('processes')).toEqual([]);
    await tellProcess(database.db, { ...self, id: 'p3', pid: 3, confirmations: 0 });
    expect(await about('processes')).toMatchObject([
      { state: 'wrong', says: expect.stringContaining('CONFIRMATIONS_1002 is not the same') },
    ]);
    await forgetProcess(database.db, 'p3');
    expect(await about('processes')).toEqual([]);
    await tellProcess(database.db, { ...self, id: 'p4', pid: 4, head_age_1002: 31_536_000 });
    await sql`update processes set seen_at = seen_at - interval '2 minutes' where id = 'p4'`.execute(
      database.db,
    );
    expect(await about('processes')).toEqual([]);
  });

  it('says that a database cannot be reached, and leaves out what needs it', async () => {
    const gone = await examine({ ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(gone.filter((f) => ['database', 'lists', 'clock'].includes(f.of)).map((f) => f.state)).toEqual([
      ...['wrong', 'left-out', 'left-out'],
    ]);
  });

  it.runIf(redisPresent)('finds Redis well, and says that it cannot be reached', async () => {
    expect((await about('Redis'))[0]).toMatchObject({ state: 'well' });
    const gone = await about('Redis', { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(gone[0]).toMatchObject({ state: 'wrong', says: expect.stringContaining('cannot be reached') });
  });

  it('says whether the service’s keys hold their roles on chain, and how to mend it', async () => {
    const chain = await testChain(1002);
    try {
      const { operator } = chain.accounts;
      const held = { ...keys, RPC_URL_1002: chain.url, OPERATOR_PRIVATE_KEY: operator.privateKey };
      expect((await about('roles 1002', held))[0]).toMatchObject({ state: 'left-out' });
      writeFileSync(join(dataDir, 'deployment-1002.json'), JSON.stringify(chain.deployment));
      expect(await about('roles 1002', held)).toEqual([
        { of: 'roles 1002', state: 'well', says: 'each key holds its roles' },
      ]);
      const stranger = await about('roles 1002', { ...held, MINTER_PRIVATE_KEY: generatePrivateKey() });
      expect(stranger).toMatchObject([
        {
          state: 'wrong',
          says: expect.stringMatching(/^MINTER_PRIVATE_KEY is 0x.*"deploy rotate minter 0x/),
        },
      ]);
      await rpc(chain.url, 'anvil_impersonateAccount', [operator.address]);
      const args = [ROLE_IDS.guardian, operator.address] as const;
      const data = encodeFunctionData({ abi: accessManagerAbi, functionName: 'revokeRole', args });
      const { manager: to } = chain.deployment;
      await rpc(chain.url, 'eth_sendTransaction', [{ from: operator.address, to, data }]);
      await rpc(chain.url, 'evm_mine', []);
      expect(await about('roles 1002', held)).toMatchObject([
        { state: 'doubtful', says: expect.stringContaining('which is not guardian on chain 1002') },
      ]);
    } finally {
      await chain.stop();
    }
  });

  it('says that payments go to an address that is the treasury no more', async () => {
    const chain = await testChain(1002);
    try {
      const { operator } = chain.accounts;
      const { manager: to, treasury } = chain.deployment;
      const own = { ...keys, RPC_URL_1002: chain.url, OPERATOR_PRIVATE_KEY: operator.privateKey };
      writeFileSync(join(dataDir, 'deployment-1002.json'), JSON.stringify(chain.deployment));
      const payments = async (more = {}) => await about('payments', { ...own, ...more });
      expect(await payments()).toMatchObject([{ state: 'well', says: expect.stringContaining(treasury) }]);
      await rpc(chain.url, 'anvil_impersonateAccount', [operator.address]);
      const args = [ROLE_IDS.treasury, treasury] as const;
      const data = encodeFunctionData({ abi: accessManagerAbi, functionName: 'revokeRole', args });
      await rpc(chain.url, 'eth_sendTransaction', [{ from: operator.address, to, data }]);
      await rpc(chain.url, 'evm_mine', []);
      const lost = {
        says: expect.stringMatching(`^${treasury}.* is not the treasury of chain 1002 any more`),
      };
      expect(await payments()).toMatchObject([
        { ...lost, state: 'wrong', remedy: expect.stringContaining('PAY_TO') },
      ]);
      expect(await payments({ PAY_TO: treasury })).toMatchObject([{ ...lost, state: 'doubtful' }]);
      const PAY_TO = privateKeyToAddress(generatePrivateKey());
      expect(await payments({ PAY_TO })).toMatchObject([{ state: 'well' }]);
    } finally {
      await chain.stop();
    }
  });

  it('finds the port well where a service on chains of others has it, also while that leaves', async () => {
    const [chain, folder] = await Promise.all([testChain(1002), serviceFolder()]);
    try {
      writeFileSync(join(folder.dataDir, 'deployment-1002.json'), JSON.stringify(chain.deployment));
      const { operator, facilitator } = chain.accounts;
      const settings = {
        ...{ ...keys, ...folder.env, DATABASE_URL: database.url, RPC_URL_1002: chain.url },
        OPERATOR_PRIVATE_KEY: operator.privateKey,
        FACILITATOR_PRIVATE_KEY: facilitator.privateKey,
        DRAIN_SECONDS: '300',
      };
      const service = await folder.start(settings);
      const port = async () => (await about('port', settings))[0];
      const at = `the service runs at 127.0.0.1:${folder.env.PORT}`;
      expect(await port()).toMatchObject({ state: 'well', says: expect.stringContaining(at) });
      service.kill('SIGTERM');
      await until(
        'that it leaves',
        async () => (await fetch(`${service.baseUrl}/health`)).status === 503 || null,
      );
      expect(await port()).toEqual({ of: 'port', state: 'well', says: `${at}, and is leaving` });
      service.kill('SIGKILL');
      await service.ended;
      expect(await port()).toMatchObject({ state: 'well', says: expect.stringContaining('is free') });
    } finally {
      await folder.remove();
      await chain.stop();
    }
  });

  it('finds nodes that are in step, of another chain, behind, alone, or silent', async () => {
    const own = { ...keys, RPC_URL_84532: `${one.url},${other.url}` };
    expect((await about('chain 84532', own))[0]).toMatchObject({ state: 'well' });
    expect((await about('contracts 84532', own))[0]).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('there is no deployment-84532.json') },
    });
    expect((await about('chain 8453', asked(one.url, other.url)))[0]).toMatchObject({
      ...{ state: 'wrong', says: expect.stringContaining('84532') },
    });
    await rpc(one.url, 'anvil_mine', ['0x20']);
    expect((await about('chain 84532', own))[0]).toMatchObject({
      ...{ state: 'wrong', says: expect.stringMatching(/the second node is \d+ blocks behind/) },
    });
    const alone = await about('chain 84532', { ...keys, RPC_URL_84532: one.url });
    expect(alone.map((f) => f.state)).toEqual(['well', 'doubtful']);
    const proving = await about('chain 84532', { ...own, STATE_PROOFS_84532: 'on' });
    expect(proving[1]).toMatchObject({ state: 'well', says: 'the second node proves the state of accounts' });
    const silent = await about('chain 84532', { ...keys, RPC_URL_84532: `${one.url},http://127.0.0.1:1` });
    expect(silent[0]).toMatchObject({ state: 'wrong', says: expect.stringContaining('the second node') });
  });
});

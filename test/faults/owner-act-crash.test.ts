import { sql } from 'kysely';
import { createPublicClient, http } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { expectStatus, until } from '../../runtime/cli/demo/client.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { openDatabase } from '../../store/database.ts';
import { findPostgres } from '../../store/embedded.ts';
import { type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { storyOn } from '../fixtures/story-stage.ts';

/**
 * Kills the service with SIGKILL between an owner's signature and the chain, and between the chain and the database.
 */

let folder: ServiceFolder;
afterEach(() => folder.remove());

/** Pretends that the time has passed for which a vanished process is waited for. */
async function leasesRunOut(): Promise<void> {
  const db = openDatabase((await findPostgres(folder.dataDir)) as string, { max: 1 });
  await sql`update effects set lease_until = clock_timestamp() - interval '1 hour' where status = 'running'`.execute(
    db,
  );
  await db.destroy();
}

describe('a service that dies', () => {
  it('after an owner signed a mandate sets it once on chain and once here, however often it dies', async () => {
    folder = await serviceFolder();
    const first = await folder.start({ CRASH_AT: 'after-confirm-before-relay' });
    const story = storyOn(folder);
    const owner = await story.owner();
    const agent = await story.assemble(
      owner,
      'new-terms',
      'Buy digital products, max 50 USDC per deal, for 30 days.',
    );
    const wider = { mandate: 'Buy digital products, max 80 USDC per deal, for 20 days.' };
    const asked = await story.api.signedPost(owner, '/agent/new-terms/mandate', wider);
    const { typedData, version } = expectStatus(asked, 202, 'proposing');
    const path = `/agent/new-terms/mandate/${version}/confirm`;
    const signature = await owner.signTypedData(typedData);
    await story.api.post(path, { signature }).catch(() => {});
    expect(await first.ended).toBe('SIGKILL');

    expect(await folder.attempt({ CRASH_AT: 'after-relay-before-act' }).ended).toBe('SIGKILL');
    await leasesRunOut();
    await folder.start();
    const done = await until('the mandate', async () => {
      const act = expectStatus(await story.api.post(path, { signature }), 202, 'asking again');
      return act.status === 'signed' ? null : act;
    });
    expect(done).toMatchObject({ status: 'done', version: 2 });
    const { mandate, caps, status } = (await story.api.get('/agent/new-terms')).body;
    expect([mandate.version, caps.remaining[0].perDealUsd, status]).toEqual([2, 80, 'active']);

    const { rpcUrl, policy } = findRunning(folder.dataDir)!.chains['1002']!;
    const set = await createPublicClient({ transport: http(rpcUrl) }).getContractEvents({
      address: policy,
      abi: spendPolicyAbi,
      eventName: 'MandateSet',
      args: { agentId: BigInt(agent.tokenId) },
      fromBlock: 0n,
    });
    expect(set.map((log) => (log as unknown as { args: { version: number } }).args.version)).toEqual([1, 2]);
    expect(set[1]?.transactionHash).toBe(done.tx);
    const { items } = (await story.api.get('/agent/new-terms/activity')).body;
    expect(items.filter((r: { kind: string }) => r.kind === 'mandate-changed')).toHaveLength(1);
  }, 180_000);
});

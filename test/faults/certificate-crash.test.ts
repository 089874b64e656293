import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../runtime/cli/demo/client.ts';
import { findPostgres } from '../../store/embedded.ts';
import { operatorCommand } from '../fixtures/operator-command.ts';
import { type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { storyOn } from '../fixtures/story-stage.ts';

/** Kills the service with SIGKILL when a certificate is on the chain but not yet in the database. */

let folder: ServiceFolder;
afterEach(() => folder.remove());

const MANDATE = 'Buy and sell real-world assets, max 500 USDC per deal, for 30 days.';
const LISTING = {
  asset: { serial: '1HGCM82633A004352' },
  description: 'A saloon car of 2003',
  askUsd: 300,
  negotiable: false,
  category: 'real-world-assets',
  gate: 'deposit',
};

describe('a service that dies', () => {
  it('between issuing a certificate and listing it lists that certificate when the request is repeated', async () => {
    folder = await serviceFolder();
    const first = await folder.start({ CRASH_AT: 'after-certificate-before-listing' });
    const before = storyOn(folder);
    const owner = await before.owner();
    const agent = await before.assemble(owner, 'car-dealer', MANDATE);
    await before.api.signedPost(owner, '/agent/car-dealer/assets', LISTING).catch(() => {});
    expect(await first.ended).toBe('SIGKILL');

    await folder.start();
    const { api } = storyOn(folder);
    expect((await api.get('/catalogue')).body.items).toEqual([]);
    const listed = await api.signedPost(owner, '/agent/car-dealer/assets', LISTING);
    expect(listed.status).toBe(201);
    const { tokenId } = listed.body.certificate;
    const { body } = await api.get(`/certificates/${tokenId}`);
    expect(body).toMatchObject({ holder: agent.account.toLowerCase(), listingRef: listed.body.listingRef });
    expect(body.history).toHaveLength(1);
  }, 180_000);

  it('between sending a transfer and writing it down answers with that transfer when the request is repeated', async () => {
    folder = await serviceFolder();
    const first = await folder.start({ CRASH_AT: 'after-transfer-before-record' });
    const before = storyOn(folder);
    const owner = await before.owner();
    await before.assemble(owner, 'car-dealer', MANDATE);
    const listed = await before.api.signedPost(owner, '/agent/car-dealer/assets', LISTING);
    const path = `/certificates/${listed.body.certificate.tokenId}/transfer`;
    const asked = await before.api.signedPost(owner, path, { to: owner.address });
    expect(asked.status).toBe(202);
    const signature = await owner.signTypedData(asked.body.typedData);
    await before.api.post(`${path}/confirm`, { signature }).catch(() => {});
    expect(await first.ended).toBe('SIGKILL');

    await folder.start();
    const { api } = storyOn(folder);
    const done = await api.post(`${path}/confirm`, { signature });
    expect(done.status).toBe(200);
    expect((await api.post(`${path}/confirm`, { signature })).body).toEqual(done.body);
    const { body } = await api.get(`/certificates/${listed.body.certificate.tokenId}`);
    expect(body).toMatchObject({ holder: owner.address.toLowerCase(), listingRef: null });
    expect(body.history.map((e: { kind: string; tx: string }) => [e.kind, e.tx])[0]).toEqual([
      'transferred',
      done.body.tx,
    ]);
    expect(body.history).toHaveLength(2);
    expect((await api.get('/catalogue')).body.items).toEqual([]);
    const { items } = (await api.get('/agent/car-dealer/activity')).body;
    expect(items.filter((r: { kind: string }) => r.kind === 'transferred')).toHaveLength(1);
  }, 180_000);

  it('between the decision of a dispute and marking its certificate void marks it after the restart, once', async () => {
    folder = await serviceFolder();
    const first = await folder.start({ CRASH_AT: 'after-dispute-before-void' });
    const before = storyOn(folder);
    const [owner, stranger] = await Promise.all([before.owner(), before.owner()]);
    await before.assemble(owner, 'car-dealer', MANDATE);
    const listed = await before.api.signedPost(owner, '/agent/car-dealer/assets', LISTING);
    const path = `/certificates/${listed.body.certificate.tokenId}`;
    const said = { wallet: stranger.address, grounds: 'The car is mine, and not for sale.', evidence: [] };
    const { disputeId } = (await before.api.signedPost(stranger, `${path}/dispute`, said)).body;
    const reply = { reply: 'It was bought at an auction.' };
    const replied = await before.api.signedPost(owner, `${path}/dispute/${disputeId}/reply`, reply);
    expect(replied.status).toBe(200);
    const databaseUrl = (await findPostgres(folder.dataDir)) as string;
    const decide = async (ruling: '--uphold' | '--reject') => {
      const command = operatorCommand({ env: folder.env, databaseUrl }, 'dispute');
      const reason = 'The register of cars names the other side.';
      expect(await command('decide', disputeId, ruling, '--reason', reason)).toMatchObject({ code: 0 });
    };
    await decide('--reject');
    const recordUrl = await until('the record of the decision', async () => {
      const { disputes } = (await before.api.get(path)).body;
      return (disputes[0].decision?.recordUrl as string | null) ?? null;
    });
    const appeal = { wallet: stranger.address, grounds: 'The register was not asked.' };
    const appealed = await before.api.signedPost(stranger, `${new URL(recordUrl).pathname}/appeal`, appeal);
    expect(appealed.status).toBe(202);
    await decide('--uphold');
    expect(await first.ended).toBe('SIGKILL');

    await folder.start();
    const { api } = storyOn(folder);
    const ended = await until('the certificate to be void', async () => {
      const { body } = await api.get(path);
      return body.state === 'void' ? body : null;
    });
    expect(ended.history.filter((e: { kind: string }) => e.kind === 'voided')).toHaveLength(1);
    const { items } = (await api.get('/agent/car-dealer/activity')).body;
    expect(items.filter((r: { kind: string }) => r.kind === 'dispute-decision')).toHaveLength(2);
  }, 240_000);
});

import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { seedKeys } from '../../chain/keys/seeds.ts';
import { secretBoxOf } from './secret-box.ts';
import { newWebhookSecret, signedHeaders } from './signature.ts';

const message = { id: 'msg_1', body: '{"type":"deal.settled","says":"über"}', at: new Date() };

describe('a signed message', () => {
  it('is what the stock library verifies, and signs alike', () => {
    const secret = newWebhookSecret();
    const headers = signedHeaders(secret, message);
    expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body));
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(message.id, message.at, message.body));
  });

  it('does not verify with another secret, body, id or time', () => {
    const secret = newWebhookSecret();
    const headers = signedHeaders(secret, message);
    const verify = (key: string, body: string, changed: object) => () =>
      new Webhook(key).verify(body, { ...headers, ...changed });
    expect(verify(newWebhookSecret(), message.body, {})).toThrow();
    expect(verify(secret, `${message.body} `, {})).toThrow();
    expect(verify(secret, message.body, { 'webhook-id': 'msg_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(verify(secret, message.body, { 'webhook-timestamp': later })).toThrow();
    const old = signedHeaders(secret, { ...message, at: new Date(Date.now() - 600_000) });
    expect(() => new Webhook(secret).verify(message.body, old)).toThrow();
  });

  it('has a secret of 32 bytes that is never the same', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const secret of secrets) expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(new Set(secrets).size).toBe(50);
  });
});

describe('a sealed secret', () => {
  const secretBox = secretBoxOf(seedKeys(`0x${'5e'.repeat(32)}`), 'test');

  it('opens as what it was, and shows nothing of it', () => {
    const secret = newWebhookSecret();
    const closed = secretBox.close(secret);
    expect(secretBox.open(closed)).toBe(secret);
    expect(Buffer.from(closed, 'base64').toString('latin1')).not.toContain(secret.slice(6, 14));
    expect(secretBox.close(secret)).not.toBe(closed);
  });

  it('does not open when it was changed, cut, or closed for another use or by another seed', () => {
    const closed = Buffer.from(secretBox.close('whsec_x'), 'base64');
    for (let i = 0; i < closed.length; i++) {
      const changed = Buffer.from(closed);
      changed[i]! ^= 1;
      expect(() => secretBox.open(changed.toString('base64'))).toThrow();
    }
    expect(() => secretBox.open(closed.subarray(0, 27).toString('base64'))).toThrow();
    expect(() =>
      secretBoxOf(seedKeys(`0x${'5e'.repeat(32)}`), 'other').open(closed.toString('base64')),
    ).toThrow();
    expect(() =>
      secretBoxOf(seedKeys(`0x${'5f'.repeat(32)}`), 'test').open(closed.toString('base64')),
    ).toThrow();
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Facilitator, FacilitatorDown, settlementOutcome } from './facilitator.ts';
import { httpFacilitator } from './http.ts';

let server: Server;
let facilitator: Facilitator;
let answer: readonly [status: number, body: string] = [200, ''];
let asked: { path: string | undefined; body: unknown } | null = null;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    asked = { path: request.url, body: JSON.parse(Buffer.concat(parts).toString()) };
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/there/`;
  facilitator = httpFacilitator({ url, networks: ['eip155:1002'] });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const payload = { x402Version: 2, accepted: {}, payload: { signature: '0x' } } as unknown as PaymentPayload;
const requirements = { scheme: 'exact', amount: '10000' } as unknown as PaymentRequirements;
const verify = (status: number, body: unknown) => {
  answer = [status, typeof body === 'string' ? body : JSON.stringify(body)];
  return facilitator.verify(payload, requirements);
};
const settle = (status: number, body: unknown) => {
  answer = [status, typeof body === 'string' ? body : JSON.stringify(body)];
  return settlementOutcome(() => facilitator.settle(payload, requirements));
};

describe('a facilitator behind a URL', () => {
  it('is asked on the wire of x402', async () => {
    await verify(200, { isValid: true });
    const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: requirements };
    expect(asked).toEqual({ path: '/there/verify', body });
    await settle(200, { success: true, transaction: '0x1', network: 'eip155:1002' });
    expect(asked).toEqual({ path: '/there/settle', body });
  });

  it('is believed when it says yes, and what it leaves open as null is left out', async () => {
    expect(await verify(200, { isValid: true, payer: '0xaa', invalidReason: null })).toEqual({
      isValid: true,
      payer: '0xaa',
    });
  });

  it.each([
    [200, { isValid: false, invalidReason: 'why' }],
    [400, { isValid: false, invalidReason: 'why' }],
    // An HTTP error is never consent, whatever its body says.
    [402, { isValid: true, invalidReason: 'why' }],
  ])('refuses by HTTP %i with %o', async (status, body) => {
    expect(await verify(status, body)).toEqual({ isValid: false, invalidReason: 'why' });
  });

  it.each([
    [500, { isValid: false }],
    [503, { isValid: true }],
    [200, { isValid: 'true' }],
    [200, { success: true }],
    [200, '<html>'],
    [200, ''],
    [404, 'null'],
  ])('says nothing of a payment by HTTP %i with %o', async (status, body) => {
    await expect(verify(status, body)).rejects.toBeInstanceOf(FacilitatorDown);
  });

  const done = { success: true, transaction: '0x1', network: 'eip155:1002' };
  it.each([
    ['settled', 200, done],
    ['refused', 200, { ...done, success: false, errorReason: 'why' }],
    ['refused', 402, { ...done, success: false, errorReason: 'why' }],
    ['refused', 400, done],
    ['unknown', 500, { ...done, success: false, errorReason: 'why' }],
    ['unknown', 200, { ...done, success: false, errorReason: 'settlement_pending' }],
    ['unknown', 200, { ...done, transaction: '' }],
    ['unknown', 200, { success: true }],
    ['unknown', 200, 'done'],
  ])('leaves a settlement %s by HTTP %i with %o', async (kind, status, body) => {
    expect(await settle(status, body)).toMatchObject({ kind });
  });
});

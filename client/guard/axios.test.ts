import axios, { AxiosError, type InternalAxiosRequestConfig } from 'axios';
import { afterEach, expect, it, vi } from 'vitest';
import { guard } from '../guard.ts';

afterEach(() => vi.unstubAllGlobals());

const REQUIREMENT = {
  ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', maxTimeoutSeconds: 60 },
  payTo: '0x7e57000000000000000000000000000000bad001',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};

it.each([
  ['location', { href: 'https://shop.example/app/page' }],
  ['document', { baseURI: 'https://shop.example/app/' }],
])(
  'judges what a page asks for by an address without a host, as its %s completes it',
  async (name, value) => {
    vi.stubGlobal(name, value);
    const url = 'https://shop.example/app/data';
    const challenge = { x402Version: 2, resource: { url }, accepts: [REQUIREMENT] };
    const headers = { 'payment-required': btoa(JSON.stringify(challenge)) };
    const guarded = guard();
    const adapter = async (config: InternalAxiosRequestConfig) => {
      const response = { status: 402, statusText: '', headers, data: {}, config };
      throw new AxiosError('it answered 402', 'ERR_BAD_REQUEST', config, null, response);
    };
    const instance = guarded.axios(axios.create({ adapter }));
    let hook: (context: object) => Promise<unknown> = async () => null;
    guarded.attach({ onBeforePaymentCreation: (given) => (hook = given) });
    await expect(instance.get('data')).rejects.toThrow('402');
    expect(await hook({ paymentRequired: challenge, selectedRequirements: REQUIREMENT })).toBeUndefined();
    await expect(instance.get('data', { headers: { 'payment-signature': 'one' } })).rejects.toThrow('402');
    expect(await hook({ paymentRequired: challenge, selectedRequirements: REQUIREMENT })).toBeDefined();
    expect(guarded.refusals.map(({ reason }) => reason)).toEqual(['paid-already']);
  },
);

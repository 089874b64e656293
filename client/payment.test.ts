import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { payer } from './payment.ts';

const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

const asking = (amount: string) => ({
  ...{ x402Version: 2, resource: { url: 'https://shop.example/' } },
  accepts: [
    {
      ...{ scheme: 'exact', network: 'eip155:84532', asset: USDC, payTo: `0x${'ab'.repeat(20)}`, amount },
      ...{ maxTimeoutSeconds: 60, extra: { name: 'USDC', version: '2' } },
    },
  ],
});

describe('a payer with a budget', () => {
  const opened = () => payer(privateKeyToAccount(generatePrivateKey()), { maxUsd: 5, budgetUsd: 1 });

  it('signs what is in it, and nothing beyond', async () => {
    const paying = opened();
    expect(await paying.payload(asking('600000'), 'one')).toMatchObject({ x402Version: 2 });
    await expect(paying.payload(asking('600000'), 'two')).rejects.toMatchObject({ code: 'over-budget' });
    expect(paying.spentUsd()).toBe(0.6);
  });

  it.each(['-4000000', '-1', '0x10', ' 5', '', '1e3'])(
    'signs nothing for what is no amount, and has no more left than before: %j',
    async (amount) => {
      const paying = opened();
      const refused = { code: 'no-payment-option' };
      await expect(paying.payload(asking(amount), 'one')).rejects.toMatchObject(refused);
      expect(paying.spentUsd()).toBe(0);
      await expect(paying.payload(asking('1000001'), 'two')).rejects.toMatchObject({ code: 'over-budget' });
    },
  );
});

import { ask, ethersPayment, paymentHeader } from '../../fixtures/wallets/payers.ts';
import type { Subject } from '../timing.ts';
import { queryOf } from './query.ts';

/** Asks a paid question with payments that are signed beforehand, each once. @param count of payments */
export async function paying(door: string, payer: `0x${string}`, count: number): Promise<Subject> {
  const challenge = await ask(door + queryOf(0));
  const ready: Record<string, string>[] = [];
  const validBefore = String(Math.floor(Date.now() / 1000) + 86_400);
  for (let i = 0; i < count; i++)
    ready.push(paymentHeader(await ethersPayment(payer, challenge, { authorization: { validBefore } })));
  return async (n) => {
    const url = door + queryOf(n);
    const headers = ready.pop();
    if (!headers) throw new Error('no payment is left');
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  };
}

import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { fund } from '../../../runtime/cli/dev.ts';
import type { ServiceFolder } from '../../fixtures/service.ts';
import { ask, ethersPayment, paymentHeader } from '../../fixtures/wallets/payers.ts';
import { balanceReader, question } from '../load/requests.ts';

/** Somebody with money who asks a new question each time. */
export interface Payer {
  /** Micro-dollars of a question. */
  readonly price: bigint;
  readonly balance: () => Promise<bigint>;
  /** The path of one that was not asked before. */
  question(): string;
  /** A payment for it. */
  paid(path: string): Promise<Readonly<Record<string, string>>>;
}

/** @param baseUrl where the price is asked for */
export async function payerOf(folder: ServiceFolder, baseUrl: string): Promise<Payer> {
  const key = generatePrivateKey();
  const address = privateKeyToAddress(key);
  await fund(folder.env, address, '100');
  const challenge = await ask(baseUrl + question(0));
  let n = 0;
  return {
    price: BigInt(challenge.accepts[0]!.amount),
    balance: await balanceReader(folder.dataDir, address),
    question: () => question(++n),
    paid: async (path) => paymentHeader(await ethersPayment(key, await ask(baseUrl + path))),
  };
}

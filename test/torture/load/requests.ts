import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, erc20Abi, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import type { ServiceFolder, ServiceProcess } from '../../fixtures/service.ts';
import type { Agent, Lot } from '../../fixtures/story-stage.ts';
import { ask, ethersPayment, paymentHeader } from '../../fixtures/wallets/payers.ts';
import { type Answered, type Asked, send } from './arrivals.ts';

/** Of so many requests one is paid for, which takes as much as all the others. */
export const PAID_OF = 10;
const USD = 1_000;
const TRIES = 20;
const DEFAULT_WAIT_S = 2;

/** What strangers ask for who read and now and then pay, each payment for another question. */
export interface Requests {
  /** Signs as many payments. */
  sign(count: number): Promise<void>;
  /** @throws Error when no payment is left */
  ask(): Promise<Answered>;
  /**
   * Sends every payment again that was answered by "come again", as its payer would, until it is answered.
   * @returns what the payer was charged, and what the answers cost that it got, in micro-dollars; and how many payments
   *   never were answered
   */
  account(): Promise<{ readonly charged: bigint; readonly owed: bigint; readonly unanswered: number }>;
}

interface Stage {
  readonly folder: ServiceFolder;
  /** Where requests go to. */
  readonly service: Pick<ServiceProcess, 'baseUrl'>;
  /** Of whom and of what strangers ask. */
  readonly seller: Pick<Agent, 'handle'>;
  readonly lots: readonly Pick<Lot, 'listingRef'>[];
}

export async function readersAndPayer({ service, folder, seller, lots }: Stage): Promise<Requests> {
  const { baseUrl } = service;
  const key = `0x${randomBytes(32).toString('hex')}` as const;
  const payer = privateKeyToAccount(key).address;
  await fund(folder.env, payer, String(USD));
  const balance = await balanceReader(folder.dataDir, payer);
  const before = await balance();
  const challenge = await ask(baseUrl + question(0));
  // Owners' own generated requests may have taken lots off the market before.
  const there = await Promise.all(
    lots.map(async ({ listingRef }) => {
      const path = `/lots/${encodeURIComponent(listingRef)}`;
      return (await fetch(baseUrl + path, { headers: { accept: 'application/json' } })).ok ? [path] : [];
    }),
  );
  const lot = there.flat().at(-1) ?? '/catalogue?limit=1';
  const agent = `/agent/${seller.handle}`;
  const reads = ['/catalogue', '/matches', '/agents/directory', '/orders', '/close-calls'];
  const paths = [...reads, question(0), lot, agent, `${agent}/activity`];
  const signed: Record<string, string>[] = [];
  const toSendAgain: Asked[] = [];
  let [n, paidFor] = [0, 0n];
  const sendAgain = async (asked: Asked): Promise<boolean> => {
    for (let i = 0; i < TRIES; i++) {
      const { status, retryAfter } = await send(asked);
      if (status === 200) return true;
      await sleep(1_000 * Number(retryAfter ?? DEFAULT_WAIT_S));
    }
    return false;
  };
  return {
    async sign(count) {
      const validBefore = String(Math.floor(Date.now() / 1_000) + 86_400);
      for (let i = 0; i < count; i++)
        signed.push(paymentHeader(await ethersPayment(key, challenge, { authorization: { validBefore } })));
    },
    async ask() {
      n++;
      if (n % PAID_OF !== 0)
        return await send({
          ...{ kind: 'read', url: baseUrl + paths[n % paths.length]! },
          headers: { accept: 'application/json' },
        });
      const headers = signed.pop();
      if (headers === undefined) throw new Error('no payment is left');
      const asked: Asked = { kind: 'paid', url: baseUrl + question(n), headers };
      const answer = await send(asked);
      if (answer.status === 200) paidFor++;
      else toSendAgain.push(asked);
      return answer;
    },
    async account() {
      let unanswered = 0;
      for (const asked of toSendAgain.splice(0))
        if (await sendAgain(asked)) paidFor++;
        else unanswered++;
      const owed = paidFor * BigInt(challenge.accepts[0]!.amount);
      return { charged: before - (await balance()), owed, unanswered };
    },
  };
}

/** A paid question about another wallet for each number. */
export function question(n: number): string {
  return `/determination?address=0x71c7656ec7ab88b098de${n.toString(16).padStart(20, '0')}&chainId=1002`;
}

export async function balanceReader(dataDir: string, holder: `0x${string}`): Promise<() => Promise<bigint>> {
  const home = findRunning(dataDir)?.chains['1002'];
  if (!home) throw new Error('no service runs');
  const client = createPublicClient({ transport: http(home.rpcUrl) });
  return () =>
    client.readContract({ address: home.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
}

import dns from 'node:dns';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { x402Client as AxiosClient, wrapAxiosWithPayment } from '@x402/axios';
import { x402Client } from '@x402/core/client';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment } from '@x402/fetch';
import axios from 'axios';
import { type Address, createPublicClient, erc20Abi, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { BASE_SEPOLIA_USDC, placeCanonicalUsdc } from '../../../chain/clients/canonical-usdc.ts';
import { fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import { inProcessFacilitator } from '../../../chain/facilitator/in-process.ts';
import type { Guard } from '../../../client/guard.ts';
import { testChain } from '../../fixtures/chain/anvil.ts';
import { facilitatorChain } from '../../fixtures/paid-service.ts';

export const NETWORK = 'eip155:84532';
export const USDC = BASE_SEPOLIA_USDC;

/** What a seller answers: a 402 whose terms it names, or anything of its own. */
export interface Sale {
  /** Terms that differ from an honest cent; each stands for one way to pay. */
  readonly accepts?: readonly Partial<PaymentRequirements>[];
  /** The URL in the challenge; the one that was asked when left out. */
  readonly resource?: string | null;
  /** The body of the 402. */
  readonly body?: (challenge: PaymentRequired) => unknown;
  readonly redirect?: { readonly to: string; readonly status?: number };
  /** Takes the payment and asks again. */
  readonly never?: boolean;
  /** Takes the payment and answers this status without a challenge, or cuts the connection. */
  readonly fails?: number | 'cut';
  /** Stands in the challenge beside the terms. */
  readonly error?: string;
}
export type Seller = (request: IncomingMessage, times: number) => Sale;

/** A person or a program that pays by a stock client, with or without a guard. */
export interface Buyer {
  buy(url: string, how?: { method?: 'GET' | 'POST'; body?: object }): Promise<void>;
}

export type Kind = 'fetch' | 'axios';

/** A chain with dollars, a facilitator that moves them, and a server that answers for every host name of a test. */
export interface MarketStage {
  readonly port: number;
  readonly payer: Address;
  url(host: string, path?: string): string;
  open(host: string, seller: Seller): void;
  close(): void;
  /** Payments that sellers were sent, signed. */
  readonly signed: readonly PaymentPayload[];
  /** Dollars of the payer, micro. */
  balance(): Promise<bigint>;
  buyer(kind: Kind, guard: Guard | null, meddle?: (header: string) => string): Buyer;
  stop(): Promise<void>;
}

export const HONEST: Address = privateKeyToAccount(generatePrivateKey()).address;

export async function marketStage(): Promise<MarketStage> {
  const chain = await testChain(84532);
  await placeCanonicalUsdc(chain.url, chain.deployment.usdc);
  const facilitator = inProcessFacilitator([facilitatorChain(chain)]);
  const account = privateKeyToAccount(generatePrivateKey());
  const { url: rpcUrl, accounts } = chain;
  const deployment = { ...chain.deployment, usdc: USDC };
  const operatorPrivateKey = accounts.operator.privateKey;
  await fundWallet({ rpcUrl, deployment, operatorPrivateKey }, account.address, 1_000_000_000n);
  const reader = createPublicClient({ transport: http(chain.url), pollingInterval: 20 });

  const sellers = new Map<string, Seller>();
  const times = new Map<string, number>();
  const signed: PaymentPayload[] = [];
  const terms = (over: Partial<PaymentRequirements>): PaymentRequirements => ({
    ...{ scheme: 'exact', network: NETWORK, amount: '10000', asset: USDC, payTo: HONEST },
    maxTimeoutSeconds: 300,
    extra: { name: chain.deployment.usdcName, version: chain.deployment.usdcVersion },
    ...over,
  });

  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const host = request.headers.host ?? '';
    const seller = sellers.get(host.replace(/:\d+$/, ''));
    const asked = `http://${host}${request.url}`;
    const time = times.get(asked) ?? 0;
    if (seller === undefined) return void response.writeHead(404).end();
    const sale = seller(request, time);
    if (sale.redirect)
      return void response.writeHead(sale.redirect.status ?? 302, { location: sale.redirect.to }).end();
    const sent = request.headers['payment-signature'];
    if (typeof sent === 'string') {
      const payload = JSON.parse(Buffer.from(sent, 'base64').toString()) as PaymentPayload;
      signed.push(payload);
      times.set(asked, time + 1);
      const settled = await facilitator.settle(payload, payload.accepted).catch(() => null);
      if (sale.fails === 'cut') return void request.socket.destroy();
      if (sale.fails !== undefined) return void response.writeHead(sale.fails).end('{}');
      if (sale.never !== true) {
        const receipt = Buffer.from(JSON.stringify(settled ?? {})).toString('base64');
        return void response.writeHead(200, { 'payment-response': receipt }).end('{"ok":true}');
      }
    }
    const resource = sale.resource === undefined ? { url: asked } : sale.resource && { url: sale.resource };
    const challenge = {
      x402Version: 2,
      ...(sale.error === undefined ? {} : { error: sale.error }),
      ...(resource === null ? {} : { resource }),
      accepts: (sale.accepts ?? [{}]).map(terms),
    } as PaymentRequired;
    const header = Buffer.from(JSON.stringify(challenge)).toString('base64');
    response.writeHead(402, { 'payment-required': header, 'content-type': 'application/json' });
    response.end(JSON.stringify(sale.body?.(challenge) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const restore = resolveHere();

  const scheme = new ExactEvmScheme(account);
  const stock = () => new x402Client().register('eip155:*', scheme).setSpendControls(false);
  // Of an earlier release, as its package brings it: it takes every hook and knows no limits of its own.
  const older = () => new AxiosClient().register('eip155:*', scheme);

  return {
    port,
    payer: account.address,
    url: (host, path = '/data') => `http://${host}:${port}${path}`,
    open: (host, seller) => void sellers.set(host, seller),
    close() {
      sellers.clear();
      times.clear();
    },
    signed,
    balance: () =>
      reader.readContract({
        address: USDC,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account.address],
      }),
    buyer: (kind, guard, meddle) =>
      kind === 'fetch' ? fetchBuyer(stock(), guard, meddle) : axiosBuyer(older(), guard, meddle),
    async stop() {
      restore();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await chain.stop();
    },
  };
}

function fetchBuyer(client: x402Client, guard: Guard | null, meddle?: (header: string) => string): Buyer {
  const inner = guard?.fetch ?? fetch;
  const asked: typeof fetch = async (input, init) => {
    const response = await inner(input, init);
    const header = response.headers.get('payment-required');
    if (header === null || meddle === undefined) return response;
    const headers = new Headers(response.headers);
    headers.set('payment-required', meddle(header));
    return new Response(response.body, { status: response.status, headers });
  };
  const pay = wrapFetchWithPayment(asked, guard?.attach(client) ?? client);
  return {
    async buy(url, { method = 'GET', body } = {}) {
      const response = await pay(url, body ? { method, body: JSON.stringify(body) } : { method });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
    },
  };
}

function axiosBuyer(client: AxiosClient, guard: Guard | null, meddle?: (header: string) => string): Buyer {
  const instance = axios.create({ proxy: false });
  guard?.axios(instance);
  instance.interceptors.response.use(undefined, (error) => {
    const headers = error.response?.headers;
    if (meddle && headers?.['payment-required'])
      headers['payment-required'] = meddle(headers['payment-required']);
    return Promise.reject(error);
  });
  wrapAxiosWithPayment(instance, guard?.attach(client) ?? client);
  return {
    async buy(url, { method = 'GET', body } = {}) {
      await instance.request({ url, method, ...(body ? { data: body } : {}) });
    },
  };
}

/** Host names of the tests lead to this machine, for every client of this process. */
function resolveHere(): () => void {
  const lookup = dns.lookup;
  const here = (name: string, options: unknown, done?: unknown): void => {
    const callback = (typeof options === 'function' ? options : done) as (...of: unknown[]) => void;
    if (!/\.(test|example)$/.test(name)) {
      (lookup as (...of: unknown[]) => void)(name, options, done);
      return;
    }
    const all = typeof options === 'object' && options !== null && 'all' in options && options.all === true;
    process.nextTick(() =>
      all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
    );
  };
  Object.assign(dns, { lookup: here });
  return () => void Object.assign(dns, { lookup });
}

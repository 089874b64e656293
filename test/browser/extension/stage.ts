import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { createWalletClient, type Hex, http } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { buildExtension } from '../../../extension/build.ts';
import { CHROMIUM } from '../chromium.ts';

const WALLET = fileURLToPath(new URL('./wallet', import.meta.url));
const DAPP = fileURLToPath(new URL('../../../node_modules/@metamask/test-dapp/dist', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** What reached the wallet: everything here was let through. */
export interface Reached {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A browser with the extension and a wallet in it, and sites under any name. */
export interface Stage {
  readonly context: BrowserContext;
  readonly owner: PrivateKeyAccount;
  /** Requests for accounts, signatures and transactions that reached the wallet since the last time it was asked. */
  readonly reached: () => Reached[];
  /** Opens a page of the test under a host name. */
  open(host: string, html?: string): Promise<Page>;
  /** Opens a page that tells at `/done` when it is done, and waits for that. */
  openUntilDone(host: string, html: string): Promise<void>;
  /** Opens MetaMask's test dapp under a host name. */
  openDapp(host: string): Promise<Page>;
  /** The address of a site under a host name. */
  at(host: string, path?: string): string;
  /** Answers the next window of the extension; gives what it showed. */
  answer(go: boolean): Promise<string>;
  /** Opens the extension's own page. */
  options(): Promise<Page>;
  /** Waits until the extension holds a copy of the lists. */
  listsTaken(): Promise<void>;
  /** Closes the extension's windows. */
  closeWindows(): Promise<void>;
  /** Closes every page and window. */
  closeAll(): Promise<void>;
  close(): Promise<void>;
}

const ASKS = /requestAccounts|equestPermissions|^eth_sign|personal_sign|sendTransaction|sendCalls/;
const PATIENCE_MS = 60_000;

/** @param rpcUrl of the chain that the wallet is on @param service base address that the extension asks */
export async function openStage({
  service,
  rpcUrl = null,
  owner = privateKeyToAccount(generatePrivateKey()),
}: {
  readonly service: string;
  readonly rpcUrl?: string | null;
  readonly owner?: PrivateKeyAccount;
}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'extension-'));
  const reached: Reached[] = [];
  const signer = await listening(createServer(signerOf(owner, rpcUrl, reached)));
  const pages = new Map<string, string>();
  let done = () => {};
  const sites = await listening(createServer(siteOf(pages, () => done())));
  const [ours, wallet] = [join(folder, 'ours'), join(folder, 'wallet')];
  buildExtension({ folder: ours, service, signer: null });
  cpSync(WALLET, wallet, { recursive: true });
  const background = join(wallet, 'background.js');
  writeFileSync(background, readFileSync(background, 'utf8').replace('SIGNER_PORT', String(portOf(signer))));
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: CHROMIUM!,
    headless: false,
    timeout: PATIENCE_MS * 2,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--disable-extensions-except=${ours},${wallet}`,
      `--load-extension=${ours},${wallet}`,
      '--host-resolver-rules=MAP *.test 127.0.0.1',
    ],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const id = await extensionId(context);
  const at = (host: string, path = '/') => `http://${host}:${portOf(sites)}${path}`;
  const visit = async (url: string) => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  return {
    context,
    owner,
    at,
    reached: () => reached.splice(0),
    async open(host, html = '<!doctype html><title>A site</title>') {
      pages.set(host, html);
      return await visit(at(host));
    },
    async openUntilDone(host, html) {
      pages.set(host, html);
      const told = new Promise<void>((resolve) => {
        done = resolve;
      });
      await visit(at(host));
      await told;
    },
    openDapp: (host) => visit(at(host, '/dapp/index.html')),
    async answer(go) {
      const page = await confirmation(context);
      const text = await page.locator('main').innerText();
      const button = page.getByRole('button', { name: go ? 'Go on to the wallet' : /Refuse|Close/ });
      if (go && text.endsWith('Close')) throw new Error(`there is no way on: ${text}`);
      const closed = page.waitForEvent('close');
      // The window may be gone before the press is confirmed.
      await Promise.all([closed, button.click().catch(() => {})]);
      return text;
    },
    options: () => visit(`chrome-extension://${id}/options.html`),
    async listsTaken() {
      const worker = context.serviceWorkers().find((w) => w.url().includes(id))!;
      const held = `chrome.storage.local.get('lists').then(({ lists }) => lists !== undefined)`;
      while (!(await worker.evaluate(held))) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async closeWindows() {
      await Promise.all(
        context.pages().map((page) => (page.url().includes('/confirm.html') ? page.close() : null)),
      );
    },
    async closeAll() {
      const keep = await context.newPage();
      await Promise.all(context.pages().map((page) => (page === keep ? null : page.close())));
    },
    async close() {
      await context.close();
      signer.close();
      sites.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The window of the extension that stands open, or the next one. */
async function confirmation(context: BrowserContext): Promise<Page> {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    const page = context.pages().find((p) => p.url().includes('/confirm.html'));
    if (page !== undefined) {
      await page.getByRole('button').first().waitFor();
      return page;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the extension showed no window');
}

async function extensionId(context: BrowserContext): Promise<string> {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    for (const worker of context.serviceWorkers()) {
      const name = await worker.evaluate('chrome.runtime.getManifest().name').catch(() => null);
      if (name === 'Safe Handshake') return new URL(worker.url()).host;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the extension did not start');
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Serves what a test wrote for a host, and MetaMask's test dapp under every host. */
function siteOf(pages: ReadonlyMap<string, string>, done: () => void) {
  return (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
    const host = (request.headers.host ?? '').split(':')[0]!;
    const { pathname } = new URL(request.url ?? '/', 'http://any');
    if (pathname === '/done') done();
    if (pathname.startsWith('/dapp/')) {
      const name = pathname.slice('/dapp/'.length).replaceAll('/', '');
      const bytes = readable(join(DAPP, name));
      response.writeHead(bytes === null ? 404 : 200, {
        'content-type': TYPES[extname(name)] ?? 'text/plain',
      });
      return response.end(bytes);
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end((pathname === '/' && pages.get(host)) || '<!doctype html><title>A frame</title>');
  };
}

function readable(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** Signs and sends for real, and keeps what it was asked. */
function signerOf(owner: PrivateKeyAccount, rpcUrl: string | null, reached: Reached[]) {
  let connected = false;
  return async (
    request: import('node:http').IncomingMessage,
    response: import('node:http').ServerResponse,
  ) => {
    let body = '';
    for await (const part of request) body += part;
    const { method, params = [] } = JSON.parse(body) as { method: string; params?: unknown[] };
    if (ASKS.test(method)) reached.push({ method, params });
    connected ||= method === 'eth_requestAccounts';
    if (method === 'eth_accounts') {
      response.end(JSON.stringify({ result: connected ? [owner.address] : [] }));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    try {
      response.end(JSON.stringify({ result: (await serve(owner, rpcUrl, method, params)) ?? null }));
    } catch (error) {
      response.end(JSON.stringify({ error: { code: -32603, message: (error as Error).message } }));
    }
  };
}

async function serve(
  owner: PrivateKeyAccount,
  rpcUrl: string | null,
  method: string,
  params: unknown[],
): Promise<unknown> {
  switch (method) {
    case 'eth_getBlockByNumber':
      if (rpcUrl === null) return { number: '0x1', baseFeePerGas: '0x1', gasLimit: '0x1c9c380' };
      break;
    case 'eth_requestAccounts':
      return [owner.address];
    case 'wallet_requestPermissions':
      return [{ parentCapability: 'eth_accounts' }];
    case 'personal_sign':
      return await owner.signMessage({ message: { raw: toHex(params[0]) } });
    case 'eth_signTypedData_v3':
    case 'eth_signTypedData_v4':
      return await signTyped(owner, params);
    case 'wallet_sendCalls':
      return { id: '0x1' };
    case 'eth_sendTransaction':
      refuseOtherChain(params[0] as Asked);
      if (rpcUrl === null) return `0x${'11'.repeat(32)}`;
      return await sendReally(owner, rpcUrl, params[0] as Asked);
    case 'eth_chainId':
      if (rpcUrl === null) return CHAIN;
      break;
    case 'net_version':
      return '1002';
  }
  if (rpcUrl === null) return null;
  const answered = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answered.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

const CHAIN = '0x3ea';

/** As wallets do it: what names another chain than theirs they do not send. */
function refuseOtherChain({ chainId = CHAIN }: Asked): void {
  if (chainId !== CHAIN) throw new Error(`chainId must match the network client, got: ${chainId}`);
}

interface Asked {
  readonly chainId?: string;
  readonly to: Hex;
  readonly data?: Hex;
  readonly value?: Hex;
}

async function sendReally(
  account: PrivateKeyAccount,
  rpcUrl: string,
  { to, data, value }: Asked,
): Promise<Hex> {
  const wallet = createWalletClient({ account, transport: http(rpcUrl) });
  return await wallet.sendTransaction({ chain: null, to, data, value: BigInt(value ?? 0) });
}

/** A page may give typed data that no library signs; that it came this far is what counts then. */
async function signTyped(owner: PrivateKeyAccount, params: unknown[]): Promise<Hex> {
  const { domain, types, primaryType, message } = JSON.parse(params[1] as string);
  const { EIP712Domain: _, ...own } = types;
  return await owner
    .signTypedData({ domain, types: own, primaryType, message })
    .catch(() => `0x${'22'.repeat(65)}` as Hex);
}

function toHex(text: unknown): Hex {
  const given = String(text);
  return /^0x[0-9a-f]*$/i.test(given) ? (given as Hex) : `0x${Buffer.from(given).toString('hex')}`;
}

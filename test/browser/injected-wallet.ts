import type { BrowserContext } from 'playwright-core';
import { createWalletClient, type Hex, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

interface Asked {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** A wallet in the browser that signs and sends for real. */
export interface InjectedWallet {
  /** How often its owner was asked to approve something. */
  readonly approvals: () => number;
}

/** Puts a wallet into every page of a context (EIP-1193, announced by EIP-6963), on the chain behind `rpcUrl`. */
export async function injectWallet(
  context: BrowserContext,
  signer: PrivateKeyAccount,
  rpcUrl: string,
): Promise<InjectedWallet> {
  const chain = {
    id: 1002,
    name: '1002',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  };
  const client = createWalletClient({ account: signer, chain, transport: http(rpcUrl) });
  let approvals = 0;
  const answer = async ({ method, params = [] }: Asked): Promise<unknown> => {
    switch (method) {
      case 'eth_accounts':
        return [signer.address];
      case 'eth_requestAccounts':
        approvals++;
        return [signer.address];
      case 'personal_sign':
        approvals++;
        return await signer.signMessage({ message: { raw: params[0] as Hex } });
      case 'eth_signTypedData_v4':
        approvals++;
        return await signer.signTypedData(JSON.parse(params[1] as string));
      case 'eth_sendTransaction': {
        approvals++;
        const { to, data } = params[0] as { to: Hex; data: Hex };
        return await client.sendTransaction({ to, data });
      }
      case 'wallet_switchEthereumChain':
        return null;
      default:
        return await client.request({ method, params } as never);
    }
  };
  await context.exposeFunction('walletAsks', async (asked: Asked) => {
    try {
      return { said: (await answer(asked)) ?? null };
    } catch (error) {
      return { refused: (error as Error).message };
    }
  });
  await context.addInitScript(`(() => {
    const provider = { request: async (asked) => {
      const { refused, said } = await window.walletAsks(asked);
      if (refused) throw new Error(refused);
      return said;
    } };
    const info = { uuid: '1', name: 'Test wallet', icon: '', rdns: 'test.wallet' };
    const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
    addEventListener('eip6963:requestProvider', tell);
  })()`);
  return { approvals: () => approvals };
}

import { createHash } from 'node:crypto';
import { pageHeaders } from '../../html/layout.ts';

/**
 * The only script on any page. It hands what is to be signed to the wallet in the browser (EIP-1193, found by EIP-6963
 * or at `window.ethereum`), puts the signatures into the form, submits it once, and says that the answer is being
 * worked on. A document that a contract checks must be signed on that contract's chain, so the wallet is asked to
 * switch to it, and to add it when it does not know it (EIP-3326, EIP-3085). Without the script or a wallet, the form
 * takes a signature made elsewhere.
 */
export const SIGN_SCRIPT = `(() => {
  const form = document.getElementById('sign'), button = document.getElementById('wallet');
  const said = document.getElementById('said'), busy = document.getElementById('busy');
  let wallet = window.ethereum;
  const offer = () => { if (wallet) button.hidden = false; };
  addEventListener('eip6963:announceProvider', (e) => { wallet = wallet || e.detail.provider; offer(); });
  dispatchEvent(new Event('eip6963:requestProvider'));
  offer();
  const hex = (text) => '0x' + [...new TextEncoder().encode(text)].map((b) => b.toString(16).padStart(2, '0')).join('');
  const wait = (waiting) => {
    busy.hidden = !waiting;
    for (const each of form.querySelectorAll('button')) each.disabled = waiting;
    said.textContent = waiting ? form.dataset.waiting : '';
  };
  const chains = JSON.parse(form.dataset.chains);
  const present = async () => {
    try { return Number(await wallet.request({ method: 'eth_chainId' })); } catch (e) { return null; }
  };
  const onto = async (id) => {
    const at = await present();
    if (at === null || at === id) return;
    const chainId = '0x' + id.toString(16);
    said.textContent = 'The wallet is on another chain, and is asked to change to chain ' + id + ' …';
    const change = () => wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
    try { await change(); } catch (e) {
      const inner = e && e.data && e.data.originalError;
      if (!e || (e.code !== 4902 && !(inner && inner.code === 4902))) throw e;
      if (!chains[id]) throw new Error('it does not know chain ' + id + ': add it there first');
      await wallet.request({ method: 'wallet_addEthereumChain', params: [chains[id]] });
    }
    const now = await present();
    if (now !== null && now !== id) await change();
  };
  form.addEventListener('submit', () => wait(true));
  addEventListener('pageshow', (e) => { if (e.persisted) wait(false); });
  button.addEventListener('click', async () => {
    const owner = form.dataset.wallet;
    try {
      said.textContent = 'Waiting for the wallet …';
      const accounts = await wallet.request({ method: 'eth_requestAccounts' });
      const mine = accounts.some((a) => a.toLowerCase() === owner.toLowerCase());
      if (!mine) { said.textContent = 'The wallet holds another account: choose ' + owner + ' in it.'; return; }
      for (const field of form.querySelectorAll('textarea')) {
        const { typed, message } = field.dataset;
        if (typed) {
          await onto(Number(JSON.parse(typed).domain.chainId));
          said.textContent = 'Waiting for the wallet …';
        }
        field.value = typed
          ? await wallet.request({ method: 'eth_signTypedData_v4', params: [owner, typed] })
          : await wallet.request({ method: 'personal_sign', params: [hex(message), owner] });
      }
      form.requestSubmit();
    } catch (e) {
      said.textContent = 'The wallet did not sign: ' + (e && e.message ? e.message : 'no reason was given') + '.';
    }
  });
})();
`;

const HASH = createHash('sha256').update(SIGN_SCRIPT).digest('base64');

/** Headers of a page with the script: they allow that script by its hash, and no other. */
export const signingHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': `${pageHeaders['content-security-policy']}; script-src 'sha256-${HASH}'`,
  'cache-control': 'no-store',
};

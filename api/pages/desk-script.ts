import { createHash } from 'node:crypto';
import { pageHeaders } from './layout.ts';

/**
 * The one script of all pages: it hands what is to be signed to the wallet in the browser (EIP-1193, found by EIP-6963
 * or at `window.ethereum`), puts the signatures into the form and sends it, once, and says that the answer is worked on. Without it, or without a wallet, the form
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

/** The headers of a page that carries the script: that one, by its hash, and no other. */
export const signingHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': `${pageHeaders['content-security-policy']}; script-src 'sha256-${HASH}'`,
  'cache-control': 'no-store',
};

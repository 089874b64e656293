// As wallets do it: what the page's window is sent for the wallet goes to the wallet, and its answers come back.
window.addEventListener(
  'message',
  (event) => {
    if (event.source !== window || event.data?.target !== 'test-wallet-content') return;
    const { id, method, params } = event.data.data;
    chrome.runtime.sendMessage({ method, params }).then((answer) => {
      window.postMessage({ target: 'test-wallet-inpage', data: { id, ...answer } }, '*');
    });
  },
  false,
);

// A provider in the manner of today's wallets: methods on a class, an emitter, announced by EIP-6963 and set on the window.
{
  class TestProvider {
    #listeners = new Map();
    #waiting = new Map();
    #next = 0;
    isMetaMask = true;
    chainId = '0x3ea';
    networkVersion = '1002';
    selectedAddress = null;
    _metamask = { isUnlocked: async () => true };
    _rpcEngine = { handle: (asked, then) => this._ask(asked).then((r) => then(null, r), then) };
    constructor() {
      window.addEventListener('message', ({ data, source }) => {
        if (source !== window || data?.target !== 'test-wallet-inpage') return;
        const { id, result, error } = data.data;
        const { resolve, reject } = this.#waiting.get(id) ?? {};
        this.#waiting.delete(id);
        if (error) reject?.(Object.assign(new Error(error.message), { code: error.code }));
        else resolve?.(result);
      });
    }
    _ask({ method, params }) {
      return new Promise((resolve, reject) => {
        this.#next += 1;
        const id = `${Math.random()}:${this.#next}`;
        this.#waiting.set(id, { resolve, reject });
        window.postMessage(
          { target: 'test-wallet-content', data: { id, method, params } },
          location.origin === 'null' ? '*' : location.origin,
        );
      });
    }
    async request(asked) {
      const result = await this._ask(asked);
      if (asked.method === 'eth_requestAccounts') this.emit('accountsChanged', result);
      return result;
    }
    send(first, second) {
      if (typeof first === 'string') return this.request({ method: first, params: second });
      if (typeof second === 'function') return this.sendAsync(first, second);
      return { id: first.id, jsonrpc: '2.0', result: [] };
    }
    sendAsync(asked, then) {
      const one = (a) => this.request(a).then((result) => ({ id: a.id, jsonrpc: '2.0', result }));
      Promise.all([].concat(asked).map(one)).then(
        (all) => then(null, Array.isArray(asked) ? all : all[0]),
        (error) => then(error, null),
      );
    }
    enable() {
      return this.request({ method: 'eth_requestAccounts' });
    }
    isConnected() {
      return true;
    }
    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }
    removeListener(event, listener) {
      this.#listeners.set(
        event,
        (this.#listeners.get(event) ?? []).filter((l) => l !== listener),
      );
      return this;
    }
    emit(event, ...args) {
      for (const listener of this.#listeners.get(event) ?? []) Reflect.apply(listener, this, args);
    }
  }
  const provider = new TestProvider();
  const info = {
    uuid: '350670db-19fa-4704-a166-e52e178b59d2',
    name: 'Test wallet',
    icon: 'data:image/svg+xml,',
    rdns: 'test.wallet',
  };
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: { ...info }, provider }) }),
    );
  window.addEventListener('eip6963:requestProvider', announce);
  window.ethereum = provider;
  window.dispatchEvent(new Event('ethereum#initialized'));
  announce();
}

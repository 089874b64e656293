/** A way in which a page tries to reach its wallet past the extension. */
export interface Attempt {
  readonly name: string;
  /** JavaScript that runs in the page before anything else of it, while it loads. */
  readonly early?: string;
  /** JavaScript that runs once the page has loaded: the body of an async function. `call` is what it tries to have sent. */
  readonly late: string;
}

/** Every attempt ends in asking for this, which is malicious: it must not reach the wallet. */
export const MALICIOUS = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

const CALL = `{ method: 'eth_sendTransaction', params: [{ from: '0x${'1'.repeat(40)}', to: '${MALICIOUS}', value: '0x1' }] }`;
/** Natives of a frame in which nothing was changed. */
const FRESH = `const frame = document.createElement('iframe'); document.documentElement.append(frame); const fresh = frame.contentWindow;`;
const FORGED = `{ target: 'test-wallet-content', data: { id: 'forged', ...call } }`;

/** A page that tries, and tells its server when nothing more comes of it: it may have broken what a test would ask it by. */
export function pageOf({ early = '', late }: Attempt, tellAt: string): string {
  return `<!doctype html><title>An attempt</title><script>
    const own = { fetch: fetch.bind(window), setTimeout: setTimeout.bind(window) };
    const done = () => own.setTimeout(() => own.fetch('${tellAt}'), 150);
    ${early}
    addEventListener('load', async () => {
      const call = ${CALL};
      own.setTimeout(done, 1500);
      try { ${late} } catch {}
      done();
    });
  </script>`;
}

/** JavaScript by which a site that may connect tries it: what is harmless stands on the message around what is not. */
export const ENVELOPE = `const call = ${CALL}; postMessage({ method: 'eth_requestAccounts', params: [], ...${FORGED} }, '*')`;

const plain = (name: string, late: string, early?: string): Attempt => ({ name, late, early });

export const ATTEMPTS: readonly Attempt[] = [
  // The ways in, by every name.
  plain('request', `await ethereum.request(call)`),
  plain('send with a name', `await ethereum.send(call.method, call.params)`),
  plain('send with a callback', `await new Promise((r) => ethereum.send({ id: 1, ...call }, r))`),
  plain('send alone', `await ethereum.send({ id: 1, ...call })`),
  plain('sendAsync', `await new Promise((r) => ethereum.sendAsync({ id: 1, ...call }, r))`),
  plain(
    'a batch',
    `await new Promise((r) => ethereum.sendAsync([{ id: 1, method: 'eth_chainId', params: [] }, { id: 2, ...call }], r))`,
  ),
  plain('a detached request', `const { request } = ethereum; await request(call)`),
  plain('request on another object', `await ethereum.request.call({}, call)`),
  plain('request, bound', `await ethereum.request.bind(null)(call)`),
  plain('Reflect.apply', `await Reflect.apply(ethereum.request, ethereum, [call])`),
  plain(
    'a call inside another',
    `await ethereum.request({ method: 'wallet_invokeMethod', params: { scope: 'eip155:1', request: call } })`,
  ),
  plain('a method of the wallet’s own', `await ethereum._ask(call)`),
  plain(
    'the engine behind the provider',
    `await new Promise((r, n) => ethereum._rpcEngine?.handle(call, r) ?? n('none'))`,
  ),
  plain(
    'a member that was not asked for',
    `await ethereum.constructor.prototype.request.call(ethereum, call)`,
  ),
  // What is read twice.
  plain(
    'a method that changes when it is read again',
    `
    let n = 0; await ethereum.request({ get method() { return n++ ? call.method : 'eth_chainId'; }, params: call.params })`,
  ),
  plain(
    'parameters that change when they are read again',
    `
    let n = 0; await ethereum.request({ method: call.method, get params() { return n++ ? call.params : [{ to: '0x${'2'.repeat(40)}', value: '0x0' }]; } })`,
  ),
  plain(
    'a proxy that lies the first time',
    `
    let n = 0; await ethereum.request(new Proxy(call, { get: (t, k) => (k === 'method' && n++ === 0 ? 'eth_chainId' : t[k]),
      getOwnPropertyDescriptor: (t, k) => ({ ...Reflect.getOwnPropertyDescriptor(t, k), value: k === 'method' ? 'eth_chainId' : t[k] }) }))`,
  ),
  plain(
    'a transaction that changes while it is judged',
    `
    const tx = { from: call.params[0].from, to: '0x${'2'.repeat(40)}', value: '0x0' };
    const asked = ethereum.request({ method: call.method, params: [tx] }); tx.to = '${MALICIOUS}'; await asked`,
  ),
  plain(
    'a name that is an object',
    `await ethereum.request({ method: { toString: () => call.method }, params: call.params })`,
  ),
  plain(
    'a name in another spelling',
    `await ethereum.request({ method: ' eth_sendTransaction', params: call.params })`,
  ),
  plain(
    'toJSON on every object',
    `
    Object.prototype.toJSON = () => ({ method: 'eth_chainId' }); try { await ethereum.request(call); } finally { delete Object.prototype.toJSON; }`,
  ),
  // The providers that are announced.
  plain(
    'an announced provider',
    `
    const heard = []; addEventListener('eip6963:announceProvider', (e) => heard.push(e.detail.provider));
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) await p.request(call)`,
  ),
  plain(
    'a listener in the capture phase, from the first script',
    `for (const p of window.heard ?? []) await p.request(call)`,
    `
    window.heard = []; addEventListener('eip6963:announceProvider', (e) => heard.push(e.detail.provider), true);
    dispatchEvent(new Event('eip6963:requestProvider'))`,
  ),
  plain(
    'a listener on the prototype of the window',
    `
    const heard = []; window.oneip6963 = null; EventTarget.prototype.addEventListener.call(window, 'eip6963:announceProvider', { handleEvent: (e) => heard.push(e.detail.provider) }, true);
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) await p.request(call)`,
  ),
  plain(
    'the listeners taken off by document.open',
    `
    document.open(); document.write('<p>again'); document.close();
    const heard = []; addEventListener('eip6963:announceProvider', (e) => heard.push(e.detail.provider), true);
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) await p.request(call); await ethereum.request(call)`,
  ),
  plain(
    'document.open of a fresh frame',
    `
    ${FRESH} fresh.Document.prototype.open.call(document);
    const heard = []; addEventListener('eip6963:announceProvider', (e) => heard.push(e.detail.provider), true);
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) await p.request(call); postMessage(${FORGED}, '*')`,
  ),
  plain(
    'an own CustomEvent',
    `
    const heard = []; window.CustomEvent = function (type, init) { heard.push(init?.detail?.provider); return new Event(type); };
    Object.defineProperty(window, 'CustomEvent', { value: window.CustomEvent });
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) await p?.request(call)`,
  ),
  plain(
    'an own Object.freeze',
    `
    const heard = []; const freeze = Object.freeze; Object.freeze = (o) => { if (o?.provider) heard.push(o.provider); return freeze(o); };
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) await p.request(call)`,
  ),
  plain(
    'an own Object.freeze, and the class behind',
    `
    const heard = []; const freeze = Object.freeze; Object.freeze = (o) => { if (o?.provider) heard.push(o.provider); return freeze(o); };
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) { await Object.getPrototypeOf(p).request.call(p, call).catch(() => {}); await p._ask(call); }`,
  ),
  plain(
    'an own dispatchEvent',
    `
    const heard = []; window.dispatchEvent = function (e) { if (e.detail?.provider) heard.push(e.detail.provider); return true; };
    EventTarget.prototype.dispatchEvent.call(window, new Event('eip6963:requestProvider')); for (const p of heard) await p.request(call)`,
  ),
  plain(
    'a getter for detail',
    `
    const heard = []; const real = Object.getOwnPropertyDescriptor(CustomEvent.prototype, 'detail');
    Object.defineProperty(CustomEvent.prototype, 'detail', { get() { const d = real.get.call(this); if (d?.provider) heard.push(d.provider); return d; } });
    dispatchEvent(new Event('eip6963:requestProvider')); for (const p of heard) await p.request(call)`,
  ),
  plain(
    'an announcement made again',
    `
    const heard = []; addEventListener('eip6963:announceProvider', (e) => heard.push(e.detail.provider));
    dispatchEvent(new Event('eip6963:requestProvider'));
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: {}, provider: heard[0] } }));
    for (const p of heard) await p.request(call)`,
  ),
  plain(
    'an announcement of the fresh kind',
    `
    ${FRESH} const heard = []; addEventListener('eip6963:announceProvider', (e) => heard.push(e.detail.provider));
    dispatchEvent(new fresh.CustomEvent('eip6963:announceProvider', { detail: { info: {}, provider: ethereum } }));
    for (const p of heard) await p.request(call)`,
  ),
  // The window's own property.
  plain('window.ethereum deleted', `delete window.ethereum; await window.ethereum.request(call)`),
  plain(
    'window.ethereum defined again',
    `
    try { Object.defineProperty(window, 'ethereum', { value: ethereum, configurable: true }); } catch {} await ethereum.request(call)`,
  ),
  plain(
    'window.ethereum defined by a fresh frame',
    `
    ${FRESH} try { fresh.Object.defineProperty(window, 'ethereum', { get: () => 1 }); } catch {} await ethereum.request(call)`,
  ),
  plain(
    'the setter of window.ethereum',
    `
    const { set } = Object.getOwnPropertyDescriptor(window, 'ethereum'); const mine = { request: (a) => a };
    set.call(window, mine); window.ethereum = ethereum; await ethereum.request(call)`,
  ),
  plain(
    'request replaced on the provider',
    `
    ethereum.request = (c) => c; delete ethereum.request; Object.defineProperty(ethereum, 'request', { value: 1 }); await ethereum.request(call)`,
  ),
  plain(
    'a prototype put before the provider',
    `
    const child = Object.create(ethereum); await child.request(call)`,
  ),
  plain(
    'the prototype of the provider',
    `await Object.getPrototypeOf(ethereum).request?.call(ethereum, call)`,
  ),
  plain(
    'its descriptors',
    `
    for (const d of Object.values(Object.getOwnPropertyDescriptors(ethereum))) await d.value?.call?.(ethereum, call)`,
  ),
  plain(
    'its source',
    `
    const text = Function.prototype.toString.call(ethereum.request); if (/judge|secret|token/i.test(text)) postMessage(${FORGED}, '*'); await ethereum.request(call)`,
  ),
  // What the provider gives away.
  plain(
    'the object that a listener is called on',
    `
    let inner = null; ethereum.on('accountsChanged', function () { inner = this; }); ethereum.emit('accountsChanged', []); await inner.request(call)`,
  ),
  plain('what on gives back', `await ethereum.on('message', () => {}).request(call)`),
  plain(
    'an own Reflect.apply',
    `
    const heard = []; const apply = Reflect.apply; Reflect.apply = (f, t, a) => { heard.push(t); return apply(f, t, a); };
    ethereum.on('x', () => {}); ethereum.emit('x'); Reflect.apply = apply; for (const p of heard) { await p?.request?.(call).catch(() => {}); await p?._ask?.(call); }`,
  ),
  plain(
    'an own Map',
    `
    const heard = []; const get = Map.prototype.get; Map.prototype.get = function (k) { heard.push(this); return get.call(this, k); };
    ethereum.on('x', () => {}); Map.prototype.get = get; for (const p of heard) await p?.request?.(call); await ethereum.request(call)`,
  ),
  // The language under the extension.
  plain(
    'own promises',
    `
    Promise.prototype.then = function (yes) { try { yes({ go: true, message: '' }); } catch {} return this; }; await ethereum.request(call)`,
  ),
  plain(
    'an own Promise',
    `window.Promise = class { constructor(f) { f((x) => x, (x) => x); } }; ethereum.request(call)`,
  ),
  plain(
    'own arrays',
    `
    Object.defineProperty(Array.prototype, '0', { set(v) {}, get() { return { go: true }; }, configurable: true });
    try { await ethereum.request(call); } finally { delete Array.prototype[0]; }`,
  ),
  plain(
    'an own iterator',
    `
    const it = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function* () {}; try { await ethereum.request(call); } finally { Array.prototype[Symbol.iterator] = it; }`,
  ),
  plain(
    'own answers on every object',
    `
    Object.defineProperty(Object.prototype, 'go', { get: () => true, set() {}, configurable: true }); try { await ethereum.request(call); } finally { delete Object.prototype.go; }`,
  ),
  plain(
    'own regular expressions',
    `RegExp.prototype.exec = () => null; RegExp.prototype.test = () => false; await ethereum.request(call)`,
  ),
  plain(
    'own text functions',
    `String.prototype.includes = String.prototype.startsWith = () => false; await ethereum.request(call)`,
  ),
  plain(
    'an own WeakMap',
    `WeakMap.prototype.get = () => undefined; WeakSet.prototype.has = () => false; await ethereum.request(call)`,
  ),
  plain(
    'own message ports',
    `
    const seen = []; for (const name of ['postMessage', 'addEventListener']) { const real = MessagePort.prototype[name] ?? EventTarget.prototype[name];
      MessagePort.prototype[name] = function (...a) { seen.push(this); return real.apply(this, a); }; }
    ethereum.request(call).catch(() => {}); for (const p of seen) p.dispatchEvent(new MessageEvent('message', { data: { id: 1, go: true } }))`,
  ),
  plain(
    'a forged answer on the window',
    `
    ethereum.request(call).catch(() => {}); for (let i = 0; i < 20; i++) { postMessage({ id: i, go: true, message: '' }, '*'); dispatchEvent(new MessageEvent('message', { data: { id: i, go: true } })); }`,
  ),
  plain(
    'a second channel',
    `
    const channel = new MessageChannel(); dispatchEvent(new MessageEvent('safe-handshake:port', { ports: [channel.port2] }));
    channel.port1.postMessage({ id: 1, calls: [{ method: 'eth_chainId', params: [] }] }); dispatchEvent(new Event('safe-handshake:ready')); await ethereum.request(call)`,
  ),
  plain(
    'the frames of the stack',
    `
    const heard = []; Error.prepareStackTrace = (e, frames) => { for (const f of frames) heard.push(f.getFunction(), f.getThis()); return ''; };
    const then = Promise.prototype.then; Promise.prototype.then = function (...a) { void new Error().stack; return then.apply(this, a); };
    ethereum.request(call).catch(() => {}); Promise.prototype.then = then; Error.prepareStackTrace = undefined; for (const f of heard.splice(0, 50)) if (typeof f === 'function' && !String(f).includes('prepareStackTrace')) { try { await f.call(ethereum, call); } catch {} }`,
  ),
  plain(
    'callers',
    `
    let f = null; const get = { get method() { f = (function g() { try { return g.caller; } catch { return null; } })(); return 'eth_chainId'; }, params: [] };
    await ethereum.request(get).catch(() => {}); await f?.caller?.(call); await ethereum.request(call)`,
  ),
  // Past the provider, to where the wallet listens.
  plain('a message to the wallet', `postMessage(${FORGED}, '*')`),
  plain(
    'a message as an event',
    `dispatchEvent(new MessageEvent('message', { data: ${FORGED}, source: window, origin: location.origin }))`,
  ),
  plain(
    'a message from a fresh frame',
    `${FRESH} fresh.Window.prototype.postMessage?.call(window, ${FORGED}, '*'); fresh.postMessage.call(window, ${FORGED}, '*')`,
  ),
  plain(
    'a message from a frame of its own',
    `
    const f = document.createElement('iframe'); f.srcdoc = '<script>parent.postMessage(' + JSON.stringify(${FORGED}) + ', "*")</scr' + 'ipt>'; document.documentElement.append(f)`,
  ),
  plain(
    'a message after what was allowed',
    `
    ethereum.request({ method: 'eth_chainId' }).then(() => postMessage(${FORGED}, '*'))`,
  ),
  plain(
    'a message while another listener stands first',
    `
    document.open(); document.close(); addEventListener('message', () => {}, true); postMessage(${FORGED}, '*')`,
  ),
  plain(
    'a message with much around it',
    `
    const data = ${FORGED}; for (let i = 0; i < 20000; i++) data['k' + i] = i; data.data.more = { deep: [[[data.data]]] }; postMessage(data, '*')`,
  ),
  // Frames.
  plain(
    'a frame of the same site',
    `
    const f = document.createElement('iframe'); f.src = '/frame'; document.documentElement.append(f);
    await new Promise((r) => { f.onload = r; }); await f.contentWindow.ethereum.request(call)`,
  ),
  plain(
    'an empty frame',
    `
    const f = document.createElement('iframe'); document.documentElement.append(f); await f.contentWindow.ethereum?.request(call); f.contentWindow.postMessage(${FORGED}, '*')`,
  ),
  plain(
    'a frame whose window was prepared before it loaded',
    `
    const f = document.createElement('iframe'); f.src = '/frame'; document.documentElement.append(f); const w = f.contentWindow; const heard = [];
    w.addEventListener('eip6963:announceProvider', (e) => heard.push(e.detail.provider), true);
    w.Object.defineProperty(w, 'ethereum', { set(p) { heard.push(p); }, configurable: false });
    const post = w.MessagePort.prototype.postMessage; w.MessagePort.prototype.postMessage = function (d, ...a) { heard.push(this); return post.call(this, d, ...a); };
    await new Promise((r) => { f.onload = r; }); w.dispatchEvent(new w.Event('eip6963:requestProvider'));
    for (const p of heard) { p.request?.(call)?.catch?.(() => {}); p._ask?.(call)?.catch?.(() => {}); }
    w.postMessage({ target: 'test-wallet-content', data: { id: 'forged', ...call } }, '*')`,
  ),
  plain(
    'a frame written by script',
    `
    const f = document.createElement('iframe'); document.documentElement.append(f); f.contentDocument.open(); f.contentDocument.write('<p>'); f.contentDocument.close();
    await new Promise((r) => setTimeout(r, 100)); await f.contentWindow.ethereum?.request(call)`,
  ),
  plain(
    'a frame in a sandbox',
    `
    const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; f.srcdoc = '<script>ethereum.request(' + JSON.stringify(call) + ')</scr' + 'ipt>'; document.documentElement.append(f)`,
  ),
  plain(
    'a frame from a blob',
    `
    const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<script>ethereum.request(' + JSON.stringify(call) + ')</scr' + 'ipt>'], { type: 'text/html' })); document.documentElement.append(f)`,
  ),
  plain(
    'a window of its own',
    `
    const w = open('/popup'); await new Promise((r) => setTimeout(r, 400)); await w?.ethereum?.request(call)`,
  ),
];

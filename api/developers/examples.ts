import { type Html, html } from '../html/html.ts';
import { DEVELOPERS } from '../words/developers.ts';

/** One question about a wallet, in three languages, ready to be run. */
export function example(baseUrl: string): Html {
  const url = `${baseUrl}/determination?address=0x000000006551c19487814612e58FE06813775758&chainId=1002`;
  const all = [
    ['curl', `curl -i "${url}"`],
    [
      'JavaScript',
      `// npm install @x402/fetch @x402/evm viem
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const account = privateKeyToAccount(process.env.PAYER_PRIVATE_KEY);
const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
});
const answer = await (await pay('${url}')).json();
console.log(answer.verdict, answer.recorded.recordUrl);`,
    ],
    [
      'Python',
      `# The standard library reads the ways to pay.
import json, urllib.request
from urllib.error import HTTPError

try:
    urllib.request.urlopen("${url}")
except HTTPError as unpaid:
    for offer in json.load(unpaid)["accepts"]:
        print(offer["amount"], offer["network"], offer["payTo"])`,
    ],
  ] as const;
  return html`<div class="columns codes">${all.map(
    ([name, code]) =>
      html`<section class="card"><h3>${name}</h3><pre tabindex="0" role="region" aria-label="${DEVELOPERS.ask.example(name)}"><code>${code}</code></pre></section>`,
  )}</div>`;
}

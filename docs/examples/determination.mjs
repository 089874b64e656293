// Pays one cent of test USDC for a determination on a wallet, with stock packages.
//   npm run -s handshake -- dev fund <address of the key> --usd 5
//   PAYER_PRIVATE_KEY=0x… node docs/examples/determination.mjs <address> [base-url]
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const [address, base = 'http://127.0.0.1:4021'] = process.argv.slice(2);
const key = process.env.PAYER_PRIVATE_KEY ?? '';
if (!/^0x[0-9a-fA-F]{64}$/.test(key))
  throw new Error('a private key is 0x and 64 hex digits: is PAYER_PRIVATE_KEY set?');
const account = privateKeyToAccount(key);

// The client knows the USDC of eip155:84532 and pays there. It answers the 402 by itself and asks again.
const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
});
const response = await pay(`${base}/determination?address=${address}&chainId=1002`);
const answer = await response.json();
if (!response.ok) throw new Error(`${response.status} ${answer.code}: ${answer.detail}`);

const receipt = JSON.parse(atob(response.headers.get('payment-response')));
console.log(`${address} is ${answer.verdict}, confidence ${answer.confidence} of 100`);
for (const { id, outcome, detail } of answer.evidence.checks)
  console.log(`  ${outcome.padEnd(12)} ${id}: ${detail}`);
console.log(`paid on ${receipt.network} in ${receipt.transaction}`);
console.log(`record: ${answer.recorded.recordUrl}`);

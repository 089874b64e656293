// Asks about a wallet and pays the cent, with the light library alone.
//   PAYER_PRIVATE_KEY=0x… node docs/examples/check.mjs <address> [base-url]
import { handshake, privateKeyToAccount } from '@safe-handshake/client';

const [address, url = 'http://127.0.0.1:4021'] = process.argv.slice(2);
const account = privateKeyToAccount(process.env.PAYER_PRIVATE_KEY);
const { verdict, recorded } = await handshake(url, { account }).check(address, { chainId: 1002 });
console.log(verdict, recorded.recordId);

import type { Hex } from 'viem';
import { facilitatorRoutes } from '../../../api/x402/facilitator.ts';
import { inProcessFacilitator } from '../../../chain/facilitator/in-process.ts';
import { createSigner } from '../../../chain/tx/signer.ts';
import { server } from '../../conformance/api/server-fixture.ts';

/** Run as a child process: one facilitator behind a URL for all that are measured. Prints its address. */
const [, , port = '0', key = '0x', ...chains] = process.argv;
const facilitator = inProcessFacilitator(
  chains.map((chain) => {
    const [chainId = '', rpcUrl = ''] = chain.split('=');
    const signer = createSigner({ rpcUrl, chainId: Number(chainId), privateKey: key as Hex });
    return { chainId: Number(chainId), rpcUrl, signer };
  }),
);
const app = await server({
  routes: [(routes) => facilitatorRoutes(routes, facilitator)],
  limits: { reads: 1_000_000, writes: 1_000_000 },
});
console.log(await app.listen({ host: '127.0.0.1', port: Number(port) }));

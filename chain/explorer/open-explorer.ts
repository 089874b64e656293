import { blockscout } from './blockscout.ts';
import { etherscan } from './etherscan.ts';
import type { Explorer, ExplorerOptions } from './explorer.ts';

/** Blockscout's REST API stands under `/api/v2`; every other URL is asked in Etherscan's way, as `…/v2/api`. */
export function openExplorer(options: ExplorerOptions): Explorer {
  return /\/api\/v2\/?$/.test(new URL(options.url).pathname) ? blockscout(options) : etherscan(options);
}

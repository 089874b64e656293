import type { Services } from '../../runtime/services.ts';
import { WORDS } from '../words/every-page.ts';
import { hex } from './components.ts';
import { type Html, html, segment } from './html.ts';

/** The address of the site on which people look at a chain, or null where none is known. */
export type ExplorerSite = string | null;

/**
 * The site of a chain: the Blockscout that is configured for it (`EXPLORER_URL_<chainId>`), or the one that its published
 * definition names. A chain of this machine's own has none, although a public one may have its id.
 */
export function explorerSite(
  { config, evidence }: Pick<Services, 'config' | 'evidence'>,
  chainId: number,
): ExplorerSite {
  const asked = config.explorerUrls.get(chainId);
  const site = asked === undefined ? null : /^(.+)\/api\/v2\/?$/.exec(asked)?.[1];
  return site ?? evidence.known?.get(chainId)?.explorer ?? null;
}

/** A long value, and where its chain has a site, the way to it there. */
export function onChain(site: ExplorerSite, kind: 'address' | 'tx', value: string): Html {
  const chip = hex(value);
  if (site === null || !/^0x[0-9a-fA-F]+$/.test(value)) return chip;
  return html`${chip} <a class="away" href="${site}/${kind}/${segment(value)}" rel="noreferrer">${WORDS.explorer(value)}</a>`;
}

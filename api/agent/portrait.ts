import { createHash } from 'node:crypto';
import type { RegisteredAgent } from '../../agents/agent/registration.ts';
import { type Html, html, raw } from '../html/html.ts';
import { PORTRAIT } from '../words/agent.ts';

export type Sitter = Pick<RegisteredAgent, 'handle' | 'tier' | 'status' | 'chainId' | 'tokenId' | 'account'>;

/** The centre of the seal. */
const [CX, CY] = [240, 194];

/**
 * Draws an agent's picture: a seal derived from its account's address, and who it is in words. The same agent in the
 * same state gives the same bytes. It shows no text that an owner can choose freely, so that no agent can pose as
 * another.
 */
export function portrait(agent: Sitter): Html {
  const bytes = Buffer.from(agent.account.slice(2).padStart(40, '0').slice(0, 40), 'hex');
  const at = (i: number) => bytes[i % bytes.length] ?? 0;
  const status = agent.status ?? 'unknown';
  const chain = `eip155:${agent.chainId}`;
  // The font is monospaced, so this size fits any handle of that length.
  const size = Math.min(36, Math.floor(400 / (0.62 * Math.max(agent.handle.length, 1))));
  const layers =
    agent.tier === 'AGENT'
      ? [
          ring(at(0), at(1), 112, 24, 'deep'),
          ring(at(2), at(3), 86, 22, ''),
          ring(at(4), at(5), 58, 14, 'deep'),
        ]
      : [ring(at(0), at(1), 104, 14, 'thin')];
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" role="img" aria-labelledby="name about">
<title id="name">${PORTRAIT.title(agent.handle, agent.tier)}</title>
<desc id="about">${PORTRAIT.about(status, agent.account, String(agent.tokenId), chain)}</desc>
<style>${raw(portraitStyle(hue(agent.account)))}</style>
<rect class="paper" width="480" height="480"/>
<rect class="card" x="14.5" y="14.5" width="451" height="451" rx="16"/>
<text class="soft" x="36" y="52" font-size="15">${PORTRAIT.name}</text>
<text class="tier" x="444" y="52" font-size="15" text-anchor="end">${agent.tier}</text>
<g class="${raw(status === 'active' ? 'seal' : 'seal faint')}">
<circle class="halo" cx="${CX}" cy="${CY}" r="118"/>
${layers}
<circle class="core" cx="${CX}" cy="${CY}" r="34"/>
${CLASP}
</g>
<text class="ink mono" x="240" y="358" font-size="${size}" text-anchor="middle">${agent.handle}</text>
<text class="soft mono" x="240" y="386" font-size="15" text-anchor="middle">${short(agent.account)}</text>
<path class="rule" d="M36 412H444"/>
<g class="mark" transform="translate(36 428)">${raw(SIGNS[status] ?? UNKNOWN)}</g>
<text class="ink" x="60" y="441" font-size="15">${status}</text>
<text class="soft mono" x="444" y="441" font-size="15" text-anchor="end">${PORTRAIT.number(chain, String(agent.tokenId))}</text>
</svg>`;
}

/** Headers of a picture. Opened as a document of its own, it may use its own styles and nothing else. */
export function portraitHeaders({ account }: Pick<Sitter, 'account'>): Record<string, string> {
  const hash = createHash('sha256')
    .update(portraitStyle(hue(account)))
    .digest('base64');
  return {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; sandbox`,
    'cross-origin-resource-policy': 'cross-origin',
  };
}

/** A handshake, drawn as two interlocked links. */
const CLASP = raw(
  `<g class="clasp"><rect x="${CX - 24}" y="${CY - 9}" width="30" height="18" rx="9"/>` +
    `<rect x="${CX - 6}" y="${CY - 9}" width="30" height="18" rx="9"/></g>`,
);

const UNKNOWN =
  '<circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3 3"/>';

/** Each status has a shape and a word, so that nobody depends on colour to tell them apart. */
const SIGNS: Readonly<Record<string, string>> = {
  active: '<circle cx="8" cy="8" r="7"/>',
  minting: UNKNOWN,
  paused:
    '<rect x="2" y="1" width="4.5" height="14" rx="1"/><rect x="9.5" y="1" width="4.5" height="14" rx="1"/>',
  suspended: '<path d="M8 1l7.5 14H.5z"/>',
  retired:
    '<rect x="1.5" y="1.5" width="13" height="13" rx="2" fill="none" stroke="currentColor" stroke-width="2"/>',
};

/** Draws three twisted strands around the centre. Bytes of the address decide the number of petals and the rotation. */
function ring(petals: number, turn: number, radius: number, swing: number, kind: string): Html {
  const count = 5 + (petals % 8);
  const strands = [0, 1, 2].map((strand) => {
    const phase = (turn / 256 + strand / 3) * 2 * Math.PI;
    const points = Array.from({ length: 168 }, (_, i) => {
      const angle = (i / 168) * 2 * Math.PI;
      const r = radius - swing / 2 + (swing / 2) * Math.sin(count * angle + phase);
      return `${(CX + r * Math.cos(angle)).toFixed(1)} ${(CY + r * Math.sin(angle)).toFixed(1)}`;
    });
    return `M${points.join('L')}Z`;
  });
  return raw(`<path class="strand ${kind}" d="${strands.join('')}"/>`);
}

function hue(account: string): number {
  return Math.round((Number.parseInt(account.slice(-4), 16) / 65_536) * 360) || 0;
}

function portraitStyle(h: number): string {
  const look = (
    paper: string,
    card: string,
    ink: string,
    soft: string,
    line: string,
    deep: string,
    pale: string,
  ) =>
    `.paper{fill:${paper}}.card{fill:${card};stroke:${line}}.ink,.tier{fill:${ink}}.soft{fill:${soft}}` +
    `.rule{stroke:${line}}.halo{fill:${pale}}.strand{stroke:${deep}}.core{fill:${card};stroke:${deep}}` +
    `.clasp{stroke:${ink}}.mark{fill:${deep};color:${deep}}`;
  return (
    'text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}' +
    '.mono{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace}' +
    '.ink{font-weight:650;letter-spacing:-.01em}.tier{font-weight:650;letter-spacing:.08em}' +
    '.strand{fill:none;stroke-width:1.1;stroke-linejoin:round;opacity:.62}.strand.deep{opacity:.95}' +
    '.strand.thin{stroke-width:1.6;stroke-dasharray:7 4}.core{stroke-width:1.6}' +
    '.clasp{fill:none;stroke-width:3.2}.faint{opacity:.38}' +
    look('#f3f1ea', '#fbfaf7', '#1b1d21', '#565b65', '#dcd9d0', `hsl(${h} 48% 30%)`, `hsl(${h} 46% 94%)`) +
    `@media(prefers-color-scheme:dark){${look('#0f1114', '#16191e', '#eceae4', '#a9aeb8', '#343942', `hsl(${h} 52% 72%)`, `hsl(${h} 26% 15%)`)}}`
  );
}

function short(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-6)}`;
}

import { html } from '../html/html.ts';

/** What the page for developers says. */
export const DEVELOPERS = {
  heading: 'Developers',
  lead: 'Everything that the pages do goes through one public interface. Nothing is registered: a call is paid by x402 or signed by a wallet.',
  tags: {
    determinations: 'Checks, paid by call',
    market: 'The market',
    agents: 'Agents',
    owners: 'What an owner signs',
    records: 'Records',
    service: 'The service',
  } as Readonly<Record<string, string>>,
  description: {
    heading: 'The description',
    words: html`<a href="/openapi.json">OpenAPI 3.1</a>, <a href="/.well-known/x402">what is paid per call</a>, <a href="/llms.txt">for language models</a>. <code>POST /mcp</code> has the tools for AI agents.`,
  },
  changed: {
    heading: 'What changed',
    words: html`<a href="/changelog">The changelog</a>, and <a href="/errors/payment-required">what each error means</a>.`,
  },
  events: {
    heading: 'As it happens',
    words: html`<code>GET /events</code> streams deals, listings and records. Owners get <a href="/desk/subscribe">webhooks</a>.`,
  },
  ask: {
    heading: 'Ask about a wallet',
    words: 'Unpaid, the answer is 402 with the ways to pay; any x402 client pays the cent by itself.',
    example: (language: string) => `Example in ${language}`,
  },
  run: { heading: 'Try it', words: 'These are free and need no key.', noScript: 'This needs script.' },
  webhook: {
    heading: 'Check a webhook',
    words:
      'Paste what your program received. The signature (Standard Webhooks, HMAC-SHA256) is reckoned in this browser; nothing is sent.',
    noScript: 'This needs script.',
  },
  interface: 'The interface',
  parameters: 'Parameters',
  body: 'Body',
  answers: 'Answers',
  required: ', required',
  proof: {
    ownerSignature: 'signed by its owner',
    x402: 'paid by x402',
    operatorKey: 'an operator key',
    none: 'free',
  },
  changelog: 'Changelog',
} as const;

/** What a setting may hold, whether it is built in or typed: the check itself, and what is said of another value. */
export const SERVICE = {
  is: (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
  /** Paths are put behind it. */
  trimmed: (text: string) => text.replace(/\/+$/, ''),
  rule: 'an address that begins with http:// or https://',
} as const;

export const SIGNER = {
  is: (text: string) => /^0x[0-9a-f]{40}$/i.test(text),
  rule: 'an address: 0x and 40 hex digits',
} as const;

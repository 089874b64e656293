/**
 * Browsers run the scripts of several extensions in the order of their ids, and who listens first on a window hears
 * first. This public key gives an id that begins with five a's, before those of wallets. Nobody has the private key.
 */
const KEY = [
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEApnR3mXfjNCIn8V6BJIx2CXFXYdYN8z0pSzElm5aqg65PHDJi',
  'kveeO73Oovti7UvOz9HqWz1uPMhF8m2fPK4kmk2GM1bdHzRjn1jjgArp8iioBCYAx9RP4mJIwSsEm5xz3l/fbzauO+5V',
  'TFNTG/4w7DgkEda7veYxjW9jUuya9COwDhBTJp11LxE7zwYgNjBjIoX+e0Til4cn/Y/kL0yABM2lceNYZ5Hu7xpZSAmm',
  'IsGvu9LyLNUT3OZ+YrOV4SOslfC9BQRJICX2NWRJ2JDf8ZbjdaopxBUvgpWz6SYj0iNnLG1NelN0sDHJhQjVcYy6fqLi',
  'X57D2V4AErY1gzodbQIDAQAB',
].join('');

/**
 * The manifest of the extension. https://developer.chrome.com/docs/extensions/reference/manifest
 * The half that a page cannot reach stands first: it waits for the other half, which then runs in the page itself.
 */
export function manifest(version: string): object {
  const everywhere = {
    matches: ['<all_urls>'],
    run_at: 'document_start',
    all_frames: true,
    match_about_blank: true,
    match_origin_as_fallback: true,
  };
  return {
    manifest_version: 3,
    key: KEY,
    name: 'Safe Handshake',
    description:
      'Refuses malicious sites a connection to your wallet, and shows what you sign before you sign it.',
    version,
    minimum_chrome_version: '119',
    background: { service_worker: 'background.js' },
    action: { default_title: 'Safe Handshake', default_popup: 'options.html' },
    options_page: 'options.html',
    permissions: ['storage', 'alarms'],
    host_permissions: ['<all_urls>'],
    content_scripts: [
      { ...everywhere, js: ['content.js'], world: 'ISOLATED' },
      { ...everywhere, js: ['page.js'], world: 'MAIN' },
    ],
    content_security_policy: {
      extension_pages: "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http: https:",
    },
  };
}

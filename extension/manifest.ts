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

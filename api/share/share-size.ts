/** The size that Open Graph and X recommend for a large card, in pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

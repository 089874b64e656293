import type { App } from './app.ts';

/**
 * Ends every connection with its answer while the process is leaving, so that whoever sends the next request opens a
 * connection to another process (RFC 9112, 9.6).
 * @param isLeaving whether this process has been told to end
 */
export function registerLeaving(app: App, isLeaving: () => boolean): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isLeaving()) reply.header('connection', 'close');
    done(null, payload);
  });
}

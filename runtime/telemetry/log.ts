import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { scopeBindings } from './scope.ts';

/** Lines of JSON, each with the request, actor and effect on whose behalf it was written. Keys are never among them. */
export function openLog(config: Config): Logger {
  return pino({
    level: config.logLevel,
    mixin: scopeBindings,
    redact: {
      paths: ['*.privateKey', '*.secretKey', '*.authorization', 'req.headers.authorization'],
      remove: true,
    },
  });
}
